// Words for webhooks and their deliveries. Apart from the queries, which the routes load first.
import type { Tone } from '../../ui/facts.tsx';
import type { DeliveryStatus, EventKind } from './webhook-queries.ts';

export const DELIVERY_TONES: Record<DeliveryStatus, Tone> = {
  pending: 'info',
  delivered: 'good',
  failed: 'bad',
};

/** The only kind of its webhook. */
export const AUDIT_KIND = 'audit_recorded' satisfies EventKind;

/** The kinds of events by what they are about. */
export const EVENT_LABELS: Record<string, Partial<Record<EventKind, string>>> = {
  Sessions: {
    session_created: 'Session created',
    session_updated: 'Session updated',
    session_full: 'Session full',
    session_ended: 'Session ended',
    instance_set: 'Instance set',
    platform_session_added: 'Platform session added',
    platform_session_removed: 'Platform session removed',
    leader_changed: 'Leader changed',
  },
  Players: {
    player_invited: 'Player invited',
    player_joined: 'Player joined',
    player_updated: 'Player updated',
    player_moved: 'Player moved',
    player_left: 'Player left',
    player_removed: 'Player removed',
    player_absent: 'Player absent',
    player_present: 'Player present again',
    seat_expired: 'Seat expired',
    join_refused: 'Join refused',
  },
  Other: {
    catalogue_edited: 'Catalogue edited',
    change_set_applied: 'Change set applied',
    change_set_failed: 'Scheduled change set failed',
    webhook_disabled: 'Webhook disabled',
  },
  'Audit trail': {
    [AUDIT_KIND]: 'Audit record written',
  },
};

/** Why a webhook sends nothing. */
const DISABLED: Readonly<Record<string, string>> = {
  by_request: 'A person disabled it.',
  failing: 'Its receiver failed for three days.',
  gone: 'Its receiver responded with 410: it wants no more events.',
  secret_unreadable: 'Its secret cannot be read, since ACCOUNTS_SECRET has changed. Rotate it.',
};

export const explainDisabled = (reason: string | undefined): string =>
  DISABLED[reason ?? ''] ?? 'It sends nothing.';

const SUBJECT_LABELS: Readonly<Record<string, string>> = {
  type: 'Session type',
  session_id: 'Session id',
  sandbox_id: 'Sandbox id',
  webhook_id: 'Webhook id',
  stream: 'Stream',
};

/** The ids of a session, a sandbox or a webhook, or the stream of audit records, with words for their names. */
export const labelSubject = (subject: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(subject).map(([name, value]) => [SUBJECT_LABELS[name] ?? name, value]),
  );
