// The events of the outbox, and how a transaction of Prisma adds some. The hot writes of sessions add theirs in SQL
// (prisma/migrations, 0028).
import type { Prisma } from '@muster/database';

const SESSION_EVENT_KINDS = [
  'session_created',
  'session_updated',
  'session_full',
  'session_ended',
  'instance_set',
  'platform_session_added',
  'platform_session_removed',
  'player_invited',
  'player_joined',
  'player_updated',
  'player_removed',
  'player_left',
  'player_moved',
  'player_absent',
  'player_present',
  'leader_changed',
  'seat_expired',
  'join_refused',
] as const;
export type SessionEventKind = (typeof SESSION_EVENT_KINDS)[number];

/** What the feed has, and what webhooks offer. */
export const EVENT_KINDS = [
  ...SESSION_EVENT_KINDS,
  'catalogue_edited',
  'change_set_applied',
  'change_set_failed',
  'webhook_disabled',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

type CommonMembers = {
  /** UUID version 7. */
  event_id: string;
  occurred_at: Date;
  account_id: string;
};

type SessionMembers = CommonMembers & {
  kind: SessionEventKind;
  /** Of the session. */
  type: string;
  session_id: string;
  /** The version that the event made; absent when it changed nothing in the resource. */
  session_version?: number | undefined;
  player_uuid?: string | undefined;
  detail?: Readonly<Record<string, unknown>> | undefined;
};

type CatalogueMembers = CommonMembers & {
  kind: 'catalogue_edited';
  sandbox_id: string;
  /** Of the edit; all its versions have it. */
  transaction_id: string;
  /** Changed records. */
  items: number;
  xp: number;
};

type ChangeSetMembers = CommonMembers & {
  kind: 'change_set_applied' | 'change_set_failed';
  sandbox_id: string;
  change_set_id: string;
  /** Of the edit that applied it; absent when nothing had to change, or when it failed. */
  transaction_id?: string | undefined;
  /** Of a failure: the step and the code. */
  detail?: { step: string; code: string } | undefined;
};

type WebhookMembers = CommonMembers & {
  kind: 'webhook_disabled';
  webhook_id: string;
  /** Why the service disabled it. */
  detail: { reason: string };
};

/** `subjectKey` is the key of the session or the sandbox, or the id of the webhook. The events, at least one, become visible with the transaction. */
export const appendToOutbox = async (
  transaction: Prisma.TransactionClient,
  subjectKey: string,
  events: readonly (SessionMembers | CatalogueMembers | ChangeSetMembers | WebhookMembers)[],
): Promise<void> => {
  await transaction.$executeRaw`
    INSERT INTO event_outbox (subject_key, entry_id, events)
    VALUES (${subjectKey}::uuid, ${events[0]?.event_id}::uuid, ${JSON.stringify(events)}::json)`;
};
