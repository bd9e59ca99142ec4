import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Permitted } from '../../access/permitted.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import classes from './try-it.module.css';
import { TryItAnswer } from './try-it-answer.tsx';
import { TryItForm } from './try-it-form.tsx';
import type { Tried } from './try-it-request.ts';

const route = getRouteApi('/app/sessions/try-it');
const MAY_TRY = ['session:*', 'session:update-player:any'] as const;

export const TryItPage = () => {
  const search = route.useSearch();
  const [tried, setTried] = useState<Tried | null>(null);
  return (
    <Page title="Try a join" above={<Link to="/sessions">Sessions</Link>}>
      <Permitted
        anyOf={MAY_TRY}
        otherwise={
          <EmptyState title="Your account cannot try joins">
            It needs session:* or session:update-player:any. Whoever manages people can give it.
          </EmptyState>
        }
      >
        <div className={classes.layout}>
          <TryItForm search={search} onTried={setTried} />
          <TryItAnswer tried={tried} />
        </div>
      </Permitted>
    </Page>
  );
};
