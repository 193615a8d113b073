# WebAssembly with a system interface, by clang and Debian's wasi-libc, lld and
# libclang-rt-14-dev-wasm32. With SIMD: -DCMAKE_C_FLAGS=-msimd128.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# The builtins have packages of their own, which a first test program must not depend on.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH /usr/lib/wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
