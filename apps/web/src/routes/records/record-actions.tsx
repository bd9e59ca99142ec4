import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import { useSandbox } from '../../access/sandboxes.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { readId } from '../../features/records/record-kind.ts';
import type { StoredRecord } from '../../features/records/record-procedures.ts';
import { RestoreDialog } from '../../features/records/versions/restore-dialog.tsx';
import { DeleteDialog } from './list/delete-dialog.tsx';

type RecordActionsProps = { kind: RecordKind; sandbox: string; stored: StoredRecord };

/** Compare, and for editors: delete, or bring back. */
export const RecordActions = ({ kind, sandbox, stored }: RecordActionsProps) => {
  const [open, setOpen] = useState<'delete' | 'restore' | null>(null);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const isProtected = useSandbox(sandbox)?.protected === true;
  const close = () => setOpen(null);
  return (
    <>
      {stored.version > 1 && (
        <Button
          variant="default"
          renderRoot={(root) => (
            <Link
              {...root}
              to={kind.paths.compare}
              params={{ sandbox, id: readId(kind, stored) }}
            />
          )}
        >
          Compare versions
        </Button>
      )}
      {mayEdit && !stored.deleted && (
        <ActionButton
          variant="default"
          anyOf={isProtected ? ['sandbox:*'] : ['sandbox:config:edit']}
          sandbox={sandbox}
          onClick={() => setOpen('delete')}
        >
          Delete …
        </ActionButton>
      )}
      {mayEdit && stored.deleted && <Button onClick={() => setOpen('restore')}>Restore …</Button>}
      {open === 'delete' && (
        <DeleteDialog kind={kind} sandbox={sandbox} records={[stored]} onClose={close} />
      )}
      {open === 'restore' && (
        <RestoreDialog kind={kind} sandbox={sandbox} stored={stored} onClose={close} />
      )}
    </>
  );
};
