// A new Item or Xp table, as a form or as JSON.
import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { notifyDone } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { Page, PageRefused } from '../../ui/page.tsx';
import { explainPermissions } from '../../ui/permission-labels.ts';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { RecordEditor } from './record-editor.tsx';
import type { RecordKind } from './record-kind.ts';
import { ListLink } from './record-links.tsx';
import { useDraft, useSave } from './use-draft.ts';

export const NewRecordPage = ({ kind }: { kind: RecordKind }) => (
  <Page title={`New ${kind.one}`} above={<ListLink kind={kind} />}>
    <NewRecord kind={kind} />
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

const NewRecord = ({ kind }: { kind: RecordKind }) => {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const change = useUrlChange();
  const tab = useUrlValues().tab === 'json' ? 'json' : 'edit';
  const state = useDraft(kind);
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
