// Avahi's client library, loaded when it is first needed. Programs that neither announce nor look
// for nodes start without it and the nine libraries behind it, and run where it is not installed.
#ifndef CAVAHI_H
#define CAVAHI_H

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>

#pragma clang assume_nonnull begin

/// The functions of libavahi-common and libavahi-client that are used, by their names without
/// `avahi_`.
struct CAvahi {
  __typeof__(avahi_simple_poll_new) *simple_poll_new;
  __typeof__(avahi_simple_poll_free) *simple_poll_free;
  __typeof__(avahi_simple_poll_get) *simple_poll_get;
  __typeof__(avahi_simple_poll_iterate) *simple_poll_iterate;
  __typeof__(avahi_simple_poll_wakeup) *simple_poll_wakeup;
  __typeof__(avahi_strerror) *strerror;
  __typeof__(avahi_alternative_service_name) *alternative_service_name;
  __typeof__(avahi_free) *free;
  __typeof__(avahi_address_snprint) *address_snprint;
  __typeof__(avahi_string_list_add_arbitrary) *string_list_add_arbitrary;
  __typeof__(avahi_string_list_free) *string_list_free;
  __typeof__(avahi_string_list_get_next) *string_list_get_next;
  __typeof__(avahi_string_list_get_text) *string_list_get_text;
  __typeof__(avahi_string_list_get_size) *string_list_get_size;
  __typeof__(avahi_client_new) *client_new;
  __typeof__(avahi_client_free) *client_free;
  __typeof__(avahi_client_errno) *client_errno;
  __typeof__(avahi_entry_group_new) *entry_group_new;
  __typeof__(avahi_entry_group_reset) *entry_group_reset;
  __typeof__(avahi_entry_group_add_service_strlst) *entry_group_add_service_strlst;
  __typeof__(avahi_entry_group_commit) *entry_group_commit;
  __typeof__(avahi_service_browser_new) *service_browser_new;
  __typeof__(avahi_service_resolver_new) *service_resolver_new;
  __typeof__(avahi_service_resolver_free) *service_resolver_free;
};

/// Loads the library with the first call. Null if this machine has none. Any thread may call it.
const struct CAvahi *_Nullable CAvahi_load(void);

#pragma clang assume_nonnull end

#endif
