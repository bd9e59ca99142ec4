// The refused joins of all players, with filters in the URL.
import { Button } from '@mantine/core';
import { Platform, RECORDED_JOIN_ERROR_CODES } from '@muster/contract';
import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { requirePermission } from '../../api/me.ts';
import { PlayerPicker } from '../../features/players/player-picker.tsx';
import {
  PLATFORM_CHOICES,
  REASON_CHOICES,
} from '../../features/refused-joins/refused-join-labels.ts';
import { RefusedJoinList } from '../../features/refused-joins/refused-join-list.tsx';
import { useRefusedJoins } from '../../features/refused-joins/use-refused-joins.ts';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter, useFilters } from '../../ui/filters.tsx';
import { Page, PageRefused } from '../../ui/page.tsx';
import { EmptyState, NoMatchState } from '../../ui/states.tsx';
import { momentParam, textParam, useUrlChange } from '../../ui/url-state.tsx';

const RefusedJoinsSearch = z.object({
  player: z.guid().optional().catch(undefined),
  platform: Platform.optional().catch(undefined),
  /** The id of the platform session. */
  id: textParam,
  code: z.enum(RECORDED_JOIN_ERROR_CODES).optional().catch(undefined),
  from: momentParam,
  to: momentParam,
});

export const Route = createFileRoute('/_app/refused-joins')({
  validateSearch: RefusedJoinsSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['session:view']),
  component: RefusedJoinsPage,
  notFoundComponent: () => (
    <PageRefused title="Refused joins" refusal="Your account may not see refused joins" />
  ),
});

const FILTERS = ['player', 'platform', 'id', 'code', 'from', 'to'];

function RefusedJoinsPage() {
  const { player, platform, id, code, from, to } = Route.useSearch();
  const change = useUrlChange();
  const { isFiltered, clear } = useFilters(FILTERS);
  const rows = useRefusedJoins({
    player_uuid: player,
    platform,
    platform_session_id_base64: id?.trim() || undefined,
    error_code: code,
    from,
    to,
  });
  return (
    <Page title="Refused joins">
      <FilterBar names={FILTERS}>
        <PlayerPicker
          width={190}
          value={player ?? ''}
          onChange={(chosen) => change({ player: chosen || undefined })}
        />
        <ChoiceFilter name="platform" label="Platform" choices={PLATFORM_CHOICES} width={165} />
        <TextFilter
          name="id"
          label="Platform session id"
          placeholder="The whole id"
          isMain
          width={180}
        />
        <ChoiceFilter name="code" label="Reason" choices={REASON_CHOICES} width={190} />
        <TimeFilter name="from" label="From" showsUtc />
        <TimeFilter name="to" label="Before" showsUtc />
      </FilterBar>
      {rows.newRows > 0 && (
        <div>
          <Button variant="light" onClick={rows.showNewRows}>
            Show {rows.newRows.toLocaleString('en')} new
          </Button>
        </div>
      )}
      <RefusedJoinList
        rows={rows}
        showsPlayer
        empty={
          isFiltered ? (
            <NoMatchState onClear={clear} />
          ) : (
            <EmptyState title="No refused joins">
              A join that the service refuses appears here within seconds, with the reason and what
              to do.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
