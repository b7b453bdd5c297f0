// The wrappers are inline; a C target needs one file to compile.
#include "CCurl.h"
