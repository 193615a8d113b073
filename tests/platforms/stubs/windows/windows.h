// A stub: see tests/platforms/check_syntax.sh.
#define INFINITE 0xffffffff
void YieldProcessor(void);

typedef int BOOL;
typedef unsigned long DWORD, ULONG;
typedef void *HANDLE;
typedef union LARGE_INTEGER {
    long long QuadPart;
} LARGE_INTEGER;
typedef struct SRWLOCK {
    void *Ptr;
} SRWLOCK;
typedef struct CONDITION_VARIABLE {
    void *Ptr;
} CONDITION_VARIABLE;

BOOL __stdcall CloseHandle(HANDLE object);
BOOL __stdcall QueryPerformanceCounter(LARGE_INTEGER *count);
BOOL __stdcall QueryPerformanceFrequency(LARGE_INTEGER *frequency);
BOOL __stdcall SleepConditionVariableSRW(CONDITION_VARIABLE *condition, SRWLOCK *lock,
                                         DWORD milliseconds, ULONG flags);
BOOL __stdcall SwitchToThread(void);
DWORD __stdcall WaitForSingleObject(HANDLE object, DWORD milliseconds);
void __stdcall AcquireSRWLockExclusive(SRWLOCK *lock);
void __stdcall InitializeConditionVariable(CONDITION_VARIABLE *condition);
void __stdcall InitializeSRWLock(SRWLOCK *lock);
void __stdcall ReleaseSRWLockExclusive(SRWLOCK *lock);
void __stdcall WakeAllConditionVariable(CONDITION_VARIABLE *condition);
