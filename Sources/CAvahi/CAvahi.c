#include "CAvahi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static struct CAvahi avahi;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *const common = dlopen("libavahi-common.so.3", RTLD_NOW | RTLD_LOCAL);
  void *const client = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL);
  if (common == NULL || client == NULL) return;
#define FIND(library, name) \
  if ((avahi.name = (__typeof__(avahi.name))dlsym(library, "avahi_" #name)) == NULL) return
  FIND(common, simple_poll_new);
  FIND(common, simple_poll_free);
  FIND(common, simple_poll_get);
  FIND(common, simple_poll_iterate);
  FIND(common, simple_poll_wakeup);
  FIND(common, strerror);
  FIND(common, alternative_service_name);
  FIND(common, free);
  FIND(common, address_snprint);
  FIND(common, string_list_add_arbitrary);
  FIND(common, string_list_free);
  FIND(common, string_list_get_next);
  FIND(common, string_list_get_text);
  FIND(common, string_list_get_size);
  FIND(client, client_new);
  FIND(client, client_free);
  FIND(client, client_errno);
  FIND(client, entry_group_new);
  FIND(client, entry_group_reset);
  FIND(client, entry_group_add_service_strlst);
  FIND(client, entry_group_commit);
  FIND(client, service_browser_new);
  FIND(client, service_resolver_new);
  FIND(client, service_resolver_free);
#undef FIND
  is_loaded = 1;
}

const struct CAvahi *CAvahi_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &avahi : NULL;
}
