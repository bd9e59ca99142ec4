// Refused joins.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Id, PageMeta, Time } from './procedure.ts';

const RefusedJoin = z
  .strictObject({
    refusal_id: Id,
    occurred_at: Time,
    player_uuid: Id.optional().meta({
      description:
        'The player who could not join: the player of the path, or the caller if that is a player who may not act for another one. Absent when neither is a player UUID.',
    }),
    named_player: z.string().optional().meta({
      description: 'The player of the path, cut to 64 characters, if it is not `player_uuid`.',
    }),
    account_id: z.string().meta({ description: 'The account of the credential.' }),
    platform: z.string().meta({ description: 'As it was sent: any text when it is no platform.' }),
    platform_session_id_base64: z
      .string()
      .meta({ description: 'As it was sent, cut to 256 characters.' }),
    type: z.string().optional().meta({ description: 'The type of the session.' }),
    session_id: z.string().optional().meta({
      description: 'The session that the join reached. Absent when it reached none.',
    }),
    error_code: z.string().meta({
      description:
        'The code of the response. For a 422, the code of the log, such as `input_invalid`.',
    }),
    desc: z.string().meta({
      description: 'The sentence of the response. For a 422, its first problems.',
    }),
    request_id: z.string(),
    further: z.int().min(1).optional().meta({
      description: 'Later refusals of the player in the same hour, which have no entry.',
    }),
  })
  .meta({ id: 'RefusedJoin', description: 'A refused join with a verified credential.' });

export const REFUSED_JOIN_PROCEDURES = {
  'refusedJoins.list': {
    summary: 'List refused joins, newest first',
    description:
      'Includes joins that reached no session. Each player has up to 20 entries an hour, kept for 30 days by default and deleted with the player. An entry appears about a second after the response. A page with `platform` or `error_code` stops after 20,000 entries, so it may be short, or even empty, and still have a cursor.',
    output: z.strictObject({ refused_joins: z.array(RefusedJoin), page_meta: PageMeta }),
  },
} satisfies Record<string, ProcedureReference>;
