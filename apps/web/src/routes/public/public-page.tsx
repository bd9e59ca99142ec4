// What programs see of a sandbox: the public history, asked for exactly as they ask for it.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { AnswerView } from './answer-view.tsx';
import classes from './public.module.css';
import type { RequestFields } from './request-fields.ts';
import { checkFields, toFields, toSearch } from './request-fields.ts';
import { RequestForm } from './request-form.tsx';
import { toFieldProblems } from './to-field-problems.ts';
import { useWalk } from './use-walk.ts';

const route = getRouteApi('/app/s/$sandbox/public');

export const PublicPage = () => {
  const { sandbox } = route.useParams();
  return (
    <Page title="Public view">
      <PublicHistory key={sandbox} sandbox={sandbox} />
    </Page>
  );
};

const PublicHistory = ({ sandbox }: { sandbox: string }) => {
  const search = route.useSearch();
  const change = useUrlChange();
  const [fields, setFields] = useState(() => toFields(search));
  /** In the memory of this page only: gone when it is left. */
  const [token, setToken] = useState('');
  const [problems, setProblems] = useState<ReturnType<typeof checkFields>>({});
  const walk = useWalk(sandbox);
  const send = () => {
    const found = checkFields(fields);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    change(toSearch(fields));
    void walk.start({ fields, token: token.trim() || undefined });
  };
  const edit = (changes: Partial<RequestFields>) => setFields((old) => ({ ...old, ...changes }));
  return (
    <div className={classes.page}>
      <RequestForm
        fields={fields}
        token={token}
        problems={{ ...toFieldProblems(walk.answer?.error), ...problems }}
        problem={walk.problem}
        isBusy={walk.isBusy}
        onEdit={edit}
        onToken={setToken}
        onSend={send}
      />
      {walk.answer ? (
        <AnswerView walk={walk} answer={walk.answer} />
      ) : (
        <EmptyState title="See what games and tools get">
          Send the request to read the history of this sandbox as any program does, without your
          sign-in.
        </EmptyState>
      )}
    </div>
  );
};
