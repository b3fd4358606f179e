#include <zmq.h>

// Every libzmq since 4.3.0 has these, but zmq.h names them only for builds with draft functions.
#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93
#endif
#ifndef ZMQ_MSG_PROPERTY_USER_ID
#define ZMQ_MSG_PROPERTY_USER_ID "User-Id"
#endif
