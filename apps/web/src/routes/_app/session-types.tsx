import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { z } from 'zod';
import { trpc } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { SessionTypeDialog } from '../../features/sessions/session-type-form.tsx';
import type { SessionType } from '../../features/sessions/session-types.ts';
import {
  describeDuration,
  LIFETIMES,
  VERSION_RULES,
} from '../../features/sessions/session-types.ts';
import { describeTeams } from '../../features/sessions/teams-editor.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { Name } from '../../ui/names.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { toRows } from '../../ui/table/rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { tableSearchFields, textParam, useUrlChange } from '../../ui/url-state.tsx';

const SessionTypesSearch = z.object({
  ...tableSearchFields,
  /** The name of the type whose form is open. */
  edit: textParam,
  /** True if the form of a new type is open. */
  create: z.literal('yes').optional().catch(undefined),
});

export const Route = createFileRoute('/_app/session-types')({
  validateSearch: SessionTypesSearch,
  component: SessionTypesPage,
});

const MAY_CHANGE = ['session:*'] as const;

const rowId = ({ type }: SessionType) => type;

function SessionTypesPage() {
  const { edit, create } = Route.useSearch();
  const change = useUrlChange();
  const mayChange = usePermission(MAY_CHANGE);
  const query = useQuery(trpc.sessionTypes.list.queryOptions());
  const rows = toRows(query.data?.session_types ?? [], rowId, query);
  const edited = rows.rows.find(({ type }) => type === edit);
  const open = () => change({ create: 'yes' }, { push: true });
  const close = () => change({ edit: undefined, create: undefined });
  useCommand({ label: 'New session type', keys: 'n', enabled: mayChange, run: open });
  return (
    <Page
      title="Session types"
      layout="fill"
      actions={
        <ActionButton anyOf={MAY_CHANGE} onClick={open}>
          New session type
        </ActionButton>
      }
    >
      <DataTable
        label="session types"
        rows={rows}
        columns={TYPE_COLUMNS}
        onOpen={({ type }) => change({ edit: type }, { push: true })}
        empty={
          <EmptyState title="No session types yet">
            A type says how many teams its sessions have, which client versions may join, and how
            long held seats stay. Sessions of other types work, too: with the strictest version rule
            of “Same patch”, and seats held forever.
          </EmptyState>
        }
      />
      {query.data && (create === 'yes' || edited) && (
        <SessionTypeDialog
          key={edited?.type}
          edited={edited}
          taken={rows.rows.map(rowId)}
          mayChange={mayChange}
          onClose={close}
        />
      )}
    </Page>
  );
}

const TypeLink = ({ type }: SessionType) => (
  <Link to="/session-types" search={{ edit: type }}>
    <Name name={type} />
  </Link>
);

const TYPE_COLUMNS = defineColumns<SessionType>({
  type: { header: 'Type', width: 130, grow: true, cell: TypeLink, sortValue: (row) => row.type },
  version: {
    header: 'Client version',
    width: 140,
    cell: ({ version_match }) => VERSION_RULES[version_match].label,
  },
  teams: {
    header: 'Default teams',
    width: 140,
    isOnPhone: false,
    cell: ({ default_teams }) => describeTeams(default_teams),
  },
  ...Object.fromEntries(
    LIFETIMES.map(({ name, label, unset }) => [
      name,
      {
        header: label,
        width: 124,
        isOnPhone: false,
        cell: (row: SessionType) => describeDuration(row[name], unset),
        sortValue: (row: SessionType) => row[name] ?? Number.MAX_SAFE_INTEGER,
      },
    ]),
  ),
});
