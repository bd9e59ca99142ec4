// Where each table lives on Citus, and why. What a hot statement touches together lives together.

export type Placement =
  /** Split by the value of a column; tables `with` the same one keep the rows of one value on one node. */
  | { kind: 'distributed'; by: string; with: string }
  /** Whole on every node: small or rarely written, and joined with anything. */
  | { kind: 'reference' }
  /** On the coordinator only: no statement of a game reads it. */
  | { kind: 'local' };

const bySession: Placement = { kind: 'distributed', by: 'session_key', with: 'session' };
const bySandbox: Placement = { kind: 'distributed', by: 'sandbox_id', with: 'sandbox' };
const reference: Placement = { kind: 'reference' };

/** Each runs on the node of its first argument, with the table that this is a key of. */
export const PLACED_FUNCTIONS: Readonly<Record<string, string>> = {
  register_players: 'player',
  register_players_of_node: 'player',
  write_sessions: 'session',
  write_sessions_of_node: 'session',
  check_sessions_of_node: 'session',
  reconnect_players: 'session',
  record_refusals: 'session',
  record_refused_joins: 'player',
  read_outbox: 'session',
  read_audit: 'audit_record',
};

/** Called by those, or while the schema is distributed. */
export const FUNCTIONS_EVERYWHERE = [
  'shards_of_keys',
  'make_shard_functions',
  'outbox_entries',
  'outbox_origin',
  'catalogue_values',
];

/** In the order in which they are placed: what a foreign key leads to comes first. */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  _prisma_migrations: { kind: 'local' },

  // A new player is one row on one node.
  player: { kind: 'distributed', by: 'player_uuid', with: 'player' },
  refused_join: { kind: 'distributed', by: 'player_uuid', with: 'player' },
  // Read with sessions of any key: by joins, which write the legacy id into a seat, under the rules of the type.
  player_legacy_id: reference,
  session_type: reference,

  session: bySession,
  session_team: bySession,
  session_seat: bySession,
  session_platform_session: bySession,
  session_event: bySession,
  // Edits of a sandbox are here too: they are rarer.
  event_outbox: { kind: 'distributed', by: 'subject_key', with: 'session' },
  event_outbox_origin: reference,

  // Read by one process at a time, which sends to the receivers.
  webhook_endpoint: { kind: 'local' },
  webhook_delivery: { kind: 'local' },

  metric_minute: { kind: 'local' },
  service_key_day: { kind: 'local' },
  // One row, which each process reads every two seconds.
  maintenance: { kind: 'local' },

  // Finds the key of a session, so it cannot be kept by it.
  platform_session_route: {
    kind: 'distributed',
    by: 'digest',
    with: 'platform_session_route',
  },

  sandbox: bySandbox,
  // Before the records, whose trigger writes to it.
  catalogue_value: bySandbox,
  catalogue_record: bySandbox,
  catalogue_name: bySandbox,
  catalogue_version: bySandbox,
  change_set: bySandbox,
  change_set_operation: bySandbox,
  change_set_comment: bySandbox,
  saved_view: bySandbox,
  item_schema_version: bySandbox,

  // One row a change, of sessions as well as of sandboxes: by its own key, so that it grows with the nodes.
  audit_record: { kind: 'distributed', by: 'audit_id', with: 'audit_record' },

  account_user: reference,
  account_session: reference,
  account_login: reference,
  account_verification: reference,
  account_two_factor: reference,
  account_throttle: reference,
  account_invitation: reference,
  account_name: reference,
  service_account: reference,
  service_key: reference,
};
