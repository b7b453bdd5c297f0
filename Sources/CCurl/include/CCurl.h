#ifndef QUIRE_CCURL_H
#define QUIRE_CCURL_H

#include <curl/curl.h>

#endif
