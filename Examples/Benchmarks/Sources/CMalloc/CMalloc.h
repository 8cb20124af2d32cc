// The statistics of glibc's allocator, which Swift's own Glibc module leaves out.
#include <malloc.h>
