// One Item or Xp table: a form, JSON and the history.

import { Alert, Button, Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermission } from '../../api/me.ts';
import { notifyWithLink } from '../../api/notify.ts';
import { useSandbox, useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton, LinkButton } from '../../ui/action-button.tsx';
import { CopyText } from '../../ui/copyable.tsx';
import { nameOf } from '../../ui/names.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import classes from './json-editor.module.css';
import { RecordDetails } from './record-details.tsx';
import { DeleteDialog, RestoreDialog } from './record-dialogs.tsx';
import { RecordEditor } from './record-editor.tsx';
import type { RecordFields, RecordKind, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';
import { ListLink, RecordMarks, Saved } from './record-links.tsx';
import { recordOptions, useRecordId } from './record-queries.ts';
import { useDraft, useSave } from './use-draft.ts';
import { VersionDrawer } from './version-drawer.tsx';
import { VersionList } from './version-list.tsx';

export const RecordPage = ({ kind }: { kind: RecordKind }) => {
  const id = useRecordId();
  const { tab } = useUrlValues();
  const record = useQuery(recordOptions(kind, useSandboxId(), id));
  const stored = record.data;
  return (
    <Page
      title={stored ? nameOf({ name: stored.name, id: kind.idOf(stored) }) : kind.one}
      layout={tab === 'history' ? 'fill' : 'scroll'}
      above={<ListLink kind={kind} />}
      beside={stored && <RecordMarks record={stored} id={id} />}
      actions={stored && <RecordActions kind={kind} stored={stored} />}
    >
      <QueryState query={record}>
        {(shown) => <RecordTabs key={id} kind={kind} stored={shown} />}
      </QueryState>
    </Page>
  );
};

type StoredProps = { kind: RecordKind; stored: StoredRecord };

/** Holds the draft above the tabs, so that switching to the history does not lose input. */
const RecordTabs = ({ kind, stored }: StoredProps) => {
  const sandbox = useSandboxId();
  const change = useUrlChange();
  const tab = (useUrlValues().tab as string | undefined) ?? 'edit';
  const state = useDraft(kind, stored);
  const save = useSave(state, (record) =>
    notifyWithLink(<Saved kind={kind} sandbox={sandbox} record={record} />),
  );
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  // Keeps the input if the record is deleted while it is edited.
  const isEditable = mayEdit && (!stored.deleted || state.isUnsaved);
  const openTab = (next: string | null) =>
    change({ tab: next === 'edit' || next === null ? undefined : next, version: undefined });
  const fields = readFields(kind, stored);
  return (
    <Tabs value={tab} onChange={openTab} className={classes.tabs} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="edit">{isEditable ? 'Edit' : 'Details'}</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
      </Tabs.List>
      {stored.deleted && (
        <Alert color="red" mb="md" title={`This ${kind.one} is deleted`}>
          Games no longer receive it. Its history is kept, and any version can be restored.
        </Alert>
      )}
      <Tabs.Panel value={tab} className={classes.panel}>
        {tab === 'history' && <VersionList kind={kind} id={kind.idOf(stored)} />}
        {tab !== 'history' && isEditable && (
          <RecordEditor
            state={state}
            save={save}
            stored={stored}
            isJson={tab === 'json'}
            onOpenJson={() => openTab('json')}
          />
        )}
        {tab === 'edit' && !isEditable && <RecordDetails kind={kind} fields={fields} />}
        {tab === 'json' && !isEditable && <JsonView fields={fields} />}
      </Tabs.Panel>
      <VersionDrawer kind={kind} stored={stored} />
    </Tabs>
  );
};

/** Compare, and for editors: delete or restore. */
const RecordActions = ({ kind, stored }: StoredProps) => {
  const sandbox = useSandboxId();
  const [open, setOpen] = useState<'delete' | 'restore' | null>(null);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const isProtected = useSandbox(sandbox)?.protected === true;
  const close = () => setOpen(null);
  return (
    <>
      {stored.version > 1 && (
        <LinkButton to={kind.paths.compare} params={{ sandbox, id: kind.idOf(stored) }}>
          Compare versions
        </LinkButton>
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
      {open === 'delete' && <DeleteDialog kind={kind} records={[stored]} onClose={close} />}
      {open === 'restore' && <RestoreDialog kind={kind} stored={stored} onClose={close} />}
    </>
  );
};

/** Read-only JSON that can be copied. */
const JsonView = ({ fields }: { fields: RecordFields }) => {
  const text = JSON.stringify(fields, null, 2);
  return (
    <div>
      <Group justify="flex-end" mb="xs">
        <CopyText label="JSON" text={text} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre className={classes.view} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
};
