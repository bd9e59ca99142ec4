import { Alert, Tabs } from '@mantine/core';
import { usePermission } from '../../access/me.ts';
import { notifyWithLink } from '../../components/notify.ts';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import { RecordDetails } from '../../features/records/details/record-details.tsx';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { readFields, readId } from '../../features/records/record-kind.ts';
import type { StoredRecord } from '../../features/records/record-procedures.ts';
import { useDraft } from './draft/use-draft.ts';
import { useSave } from './draft/use-save.ts';
import { RecordEditor } from './edit/record-editor.tsx';
import { RecordForm } from './edit/record-form.tsx';
import { VersionDrawer } from './history/version-drawer.tsx';
import { VersionList } from './history/version-list.tsx';
import { JsonView } from './json/json-view.tsx';
import { LazyJsonEditor } from './json/lazy-json-editor.tsx';
import classes from './record-tabs.module.css';
import { Saved } from './saved.tsx';

type RecordTabsProps = { kind: RecordKind; sandbox: string; stored: StoredRecord };

/** The draft is kept here, above the tabs, so that looking at the history loses nothing. */
export const RecordTabs = ({ kind, sandbox, stored }: RecordTabsProps) => {
  const change = useUrlChange();
  const tab = (useUrlValues().tab as string | undefined) ?? 'edit';
  const state = useDraft(kind, stored);
  const save = useSave(state, sandbox, (record) =>
    notifyWithLink(<Saved kind={kind} sandbox={sandbox} record={record} />),
  );
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  // Somebody may delete it while it is edited: what is typed stays.
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
          Games do not get it any more. Its history is kept, and any version can be restored.
        </Alert>
      )}
      <Tabs.Panel value={tab} className={classes.panel}>
        {tab === 'history' && (
          <VersionList kind={kind} sandbox={sandbox} id={readId(kind, stored)} />
        )}
        {tab !== 'history' && isEditable && (
          <RecordEditor
            state={state}
            save={save}
            stored={stored}
            onOpenJson={tab === 'json' ? undefined : () => openTab('json')}
          >
            {tab === 'json' ? (
              <LazyJsonEditor state={state} />
            ) : (
              <RecordForm state={state} problems={save.problems} sandbox={sandbox} />
            )}
          </RecordEditor>
        )}
        {tab === 'edit' && !isEditable && (
          <RecordDetails kind={kind} sandbox={sandbox} fields={fields} />
        )}
        {tab === 'json' && !isEditable && <JsonView fields={fields} />}
      </Tabs.Panel>
      <VersionDrawer kind={kind} sandbox={sandbox} stored={stored} />
    </Tabs>
  );
};
