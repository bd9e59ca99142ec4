// A new Item or Xp table, as a form or as JSON.
import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { notifyDone } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { Page, PageRefused } from '../../ui/page.tsx';
import { explainPermissions } from '../../ui/permission-labels.ts';
import { QueryState } from '../../ui/states.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { fieldsOf, useItemSchemas } from '../schemas/schema-queries.ts';
import { addDefaults } from '../schemas/schema-values.ts';
import type { Draft } from './draft.ts';
import { NEW_DRAFT } from './draft.ts';
import { RecordEditor } from './record-editor.tsx';
import type { RecordKind } from './record-kind.ts';
import { ListLink } from './record-links.tsx';
import { useDraft, useSave } from './use-draft.ts';

export const NewRecordPage = ({ kind }: { kind: RecordKind }) => (
  <Page title={`New ${kind.one}`} above={<ListLink kind={kind} />}>
    {kind.kind === 'item' ? <NewItem kind={kind} /> : <NewRecord kind={kind} fresh={NEW_DRAFT} />}
  </Page>
);

export const NewRecordRefused = ({ kind }: { kind: RecordKind }) => (
  <PageRefused
    title={`New ${kind.one}`}
    above={<ListLink kind={kind} />}
    refusal={`Your account may not create ${kind.many} here`}
  >
    {explainPermissions(['sandbox:config:edit'])}
  </PageRefused>
);

/** Begins with the defaults of the schema. */
const NewItem = ({ kind }: { kind: RecordKind }) => {
  const query = useItemSchemas();
  const fields = fieldsOf(query.data, NEW_DRAFT.itemType);
  const fresh = useMemo(
    () => ({ ...NEW_DRAFT, customRows: addDefaults(NEW_DRAFT.customRows, fields) }),
    [fields],
  );
  return <QueryState query={query}>{() => <NewRecord kind={kind} fresh={fresh} />}</QueryState>;
};

const NewRecord = ({ kind, fresh }: { kind: RecordKind; fresh: Draft }) => {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const change = useUrlChange();
  const tab = useUrlValues().tab === 'json' ? 'json' : 'edit';
  const state = useDraft(kind, undefined, fresh);
  const save = useSave(state, (record) => {
    notifyDone(`${kind.one} "${record.name}" was created.`);
    const params = { sandbox, id: kind.idOf(record) };
    void navigate({ to: kind.paths.record, params, ignoreBlocker: true });
  });
  const openTab = (next: string | null) => change({ tab: next === 'json' ? next : undefined });
  return (
    <Tabs value={tab} onChange={openTab} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="edit">Form</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <RecordEditor
          state={state}
          save={save}
          isJson={tab === 'json'}
          onOpenJson={() => openTab('json')}
        />
      </Tabs.Panel>
    </Tabs>
  );
};
