// One edit beside the list of edits: what it changed, record by record, and the button that reverts it.
import { Drawer, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import { useUrlChange } from '../../ui/url-state.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { RevertButton } from '../change-sets/revert-button.tsx';
import { VersionLink } from '../records/record-links.tsx';
import type { Version } from '../records/version-columns.tsx';
import { VERSION_COLUMNS } from '../records/version-columns.tsx';
import { describeEdit, describeFields, nameEdit } from './edit-words.ts';
import type { Edit } from './history-query.ts';
import { historyOptions } from './history-query.ts';

type EditDrawerProps = {
  /** Open while there is one. */
  transactionId: string | undefined;
  /** Absent if the list has not loaded it. */
  edit: Edit | undefined;
};

export const EditDrawer = ({ transactionId, edit }: EditDrawerProps) => {
  const sandbox = useSandboxId();
  const change = useUrlChange();
  return (
    <Drawer
      opened={transactionId !== undefined}
      onClose={() => change({ edit: undefined })}
      size="xl"
      title={edit ? nameEdit(edit) : 'Edit'}
    >
      {transactionId && (
        <Stack gap="md">
          {edit && <EditFacts edit={edit} />}
          <Group gap="xs">
            <RevertButton sandbox={sandbox} transactionId={transactionId} />
          </Group>
          <EditVersions transactionId={transactionId} />
        </Stack>
      )}
    </Drawer>
  );
};

const EditFacts = ({ edit }: { edit: Edit }) => {
  const sandbox = useSandboxId();
  const { change_set_id, reverted_by_transaction_id } = edit;
  return (
    <Facts
      facts={{
        What: describeEdit(edit),
        Fields: describeFields(edit),
        Reason: edit.reason,
        By: <AccountName id={edit.account_id} />,
        When: <TimeText at={edit.issued_at} form="absolute" />,
        'Change set': change_set_id && (
          <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox, id: change_set_id }}>
            {edit.title}
          </Link>
        ),
        'Reverted by': reverted_by_transaction_id && (
          <CopyableId id={reverted_by_transaction_id} label="transaction id" short />
        ),
        Transaction: <CopyableId id={edit.transaction_id} label="transaction id" short />,
      }}
    />
  );
};

const EditVersions = ({ transactionId }: { transactionId: string }) => {
  const rows = usePagedRows(historyOptions(useSandboxId(), { transaction_id: transactionId }));
  return (
    <DataTable
      label="versions"
      rows={rows}
      columns={VERSION_OF_EDIT_COLUMNS}
      height="60vh"
      isInDialog
      empty={
        <EmptyState title="No versions">
          This sandbox has no edit with this transaction id.
        </EmptyState>
      }
    />
  );
};

const VERSION_OF_EDIT_COLUMNS = defineColumns<Version>({
  name: {
    header: 'Record',
    width: 180,
    grow: true,
    cell: (version) => (
      <VersionLink version={version}>
        <Name name={version.name} id={version.record_id} />
      </VersionLink>
    ),
  },
  operation: VERSION_COLUMNS.operation,
  fields: {
    header: 'Fields',
    width: 160,
    grow: true,
    cell: (version) => (version.operation === 'insert' ? '' : describeFields(version)),
  },
});
