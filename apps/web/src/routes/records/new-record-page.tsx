// A new Item or Xp table, as a form or as JSON.
import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { notifyDone } from '../../components/notify.ts';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { ITEM, readId, XP } from '../../features/records/record-kind.ts';
import { ListLink } from '../../features/records/record-links.tsx';
import { useRecordPlace } from '../../features/records/record-queries.ts';
import { useDraft } from './draft/use-draft.ts';
import { useSave } from './draft/use-save.ts';
import { RecordEditor } from './edit/record-editor.tsx';
import { RecordForm } from './edit/record-form.tsx';
import { LazyJsonEditor } from './json/lazy-json-editor.tsx';

export const NewItemPage = () => <NewRecordPage kind={ITEM} />;
export const NewXpPage = () => <NewRecordPage kind={XP} />;

const NewRecordPage = ({ kind }: { kind: RecordKind }) => {
  const { sandbox } = useRecordPlace();
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  return (
    <Page title={`New ${kind.one}`} above={<ListLink kind={kind} sandbox={sandbox} />}>
      {mayEdit ? (
        <NewRecord kind={kind} sandbox={sandbox} />
      ) : (
        <EmptyState title={`Your account may not create ${kind.many} here`}>
          It needs sandbox:config:edit for this sandbox.
        </EmptyState>
      )}
    </Page>
  );
};

const NewRecord = ({ kind, sandbox }: { kind: RecordKind; sandbox: string }) => {
  const navigate = useNavigate();
  const change = useUrlChange();
  const tab = useUrlValues().tab === 'json' ? 'json' : 'edit';
  const state = useDraft(kind);
  const save = useSave(state, sandbox, (record) => {
    notifyDone(`${kind.one} "${record.name}" is there.`);
    const params = { sandbox, id: readId(kind, record) };
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
          onOpenJson={tab === 'json' ? undefined : () => openTab('json')}
        >
          {tab === 'json' ? (
            <LazyJsonEditor state={state} />
          ) : (
            <RecordForm state={state} problems={save.problems} sandbox={sandbox} />
          )}
        </RecordEditor>
      </Tabs.Panel>
    </Tabs>
  );
};
