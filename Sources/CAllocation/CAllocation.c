#include "CAllocation.h"
