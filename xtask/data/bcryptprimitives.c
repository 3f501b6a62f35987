// The function of bcryptprimitives.dll that Rust's standard library imports, for versions of Wine
// without this library.
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return RtlGenRandom(data, length);
}
