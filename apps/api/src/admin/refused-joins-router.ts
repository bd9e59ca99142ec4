// Refused joins, for people who find out why a player could not join.
import {
  DateTimeInput,
  Platform,
  PlatformSessionId,
  RECORDED_JOIN_ERROR_CODES,
  Uuid,
} from '@muster/contract';
import { z } from 'zod';
import type { ListedRefusedJoin, RefusedJoins } from '../sessions/index.ts';
import { NO_PLAYER } from '../sessions/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import { permittedProcedure, router } from './trpc.ts';

const ListRefusedJoinsInput = z.object({
  player_uuid: Uuid.optional(),
  platform: Platform.optional(),
  platform_session_id_base64: PlatformSessionId.optional(),
  error_code: z.enum(RECORDED_JOIN_ERROR_CODES).optional(),
  from: DateTimeInput.optional(),
  to: DateTimeInput.optional(),
  ...pageInput,
});

export const createRefusedJoinsRouter = ({ list }: Pick<RefusedJoins, 'list'>) =>
  router({
    list: permittedProcedure('session:view')
      .input(ListRefusedJoinsInput)
      .query(async ({ input }) => {
        const { from, to, cursor, page_size } = input;
        const filter = {
          playerUuid: input.player_uuid,
          platform: input.platform,
          platformSessionId: input.platform_session_id_base64,
          errorCode: input.error_code,
          from: from === undefined ? undefined : new Date(from),
          to: to === undefined ? undefined : new Date(to),
        };
        const { rows, next } = await list(filter, decodeCursor(cursor, Uuid), page_size);
        return {
          refused_joins: rows.map(toView),
          page_meta: toPageMeta(page_size, next && encodeCursor(next)),
        };
      }),
  });

const toView = (refused: ListedRefusedJoin) => ({
  refusal_id: refused.refusal_id,
  occurred_at: refused.refused_at.toISOString(),
  ...(refused.player_uuid !== NO_PLAYER && { player_uuid: refused.player_uuid }),
  ...(refused.named_player !== null && { named_player: refused.named_player }),
  account_id: refused.account_id,
  platform: refused.platform,
  platform_session_id_base64: refused.platform_session_id_base64,
  ...(refused.type !== null && { type: refused.type }),
  ...(refused.session_id !== null && { session_id: refused.session_id }),
  error_code: refused.error_code,
  desc: refused.sentence,
  request_id: refused.request_id,
  ...(refused.further > 0 && { further: refused.further }),
});
