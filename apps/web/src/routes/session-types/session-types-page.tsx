import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { toRows } from '../../components/data-table/to-rows.ts';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import type { SessionType } from '../../features/sessions/use-session-types.ts';
import { TYPE_COLUMNS } from './session-types-columns.tsx';
import { TypeForm } from './type-form.tsx';

const route = getRouteApi('/app/session-types');
const MAY_CHANGE = ['session:*'] as const;

const rowsOf = (answer: ApiOutputs['sessionTypes']['list']) => answer.session_types;
const rowId = ({ type }: SessionType) => type;

export const SessionTypesPage = () => {
  const { edit, create } = route.useSearch();
  const change = useUrlChange();
  const mayChange = usePermission(MAY_CHANGE);
  const query = useQuery(trpc.sessionTypes.list.queryOptions());
  const rows = toRows(query, rowsOf, rowId);
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
        label="Session types"
        rows={rows}
        columns={TYPE_COLUMNS}
        onOpen={({ type }) => change({ edit: type }, { push: true })}
        empty={
          <EmptyState title="No session type is described yet">
            A type says how many teams its sessions have, which client versions may join, and how
            long held seats stay. Sessions of other types work, too: with the strictest version rule
            of “Same patch”, and seats held for ever.
          </EmptyState>
        }
      />
      <Modal
        opened={create === 'yes' || edited !== undefined}
        onClose={close}
        size="lg"
        title={edited ? `Session type ${edited.type}` : 'New session type'}
      >
        <TypeForm
          key={edited?.type}
          edited={edited}
          taken={rows.rows.map(rowId)}
          mayChange={mayChange}
          onClose={close}
        />
      </Modal>
    </Page>
  );
};
