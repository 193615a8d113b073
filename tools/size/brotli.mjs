// tools/size/brotli.mjs FILE: its size in bytes, and packed by brotli as web servers pack it.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const file = readFileSync(process.argv[2]);
const packed = brotliCompressSync(file, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
console.log(`${file.length} ${packed.length}`);
