import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';

/** One answer for a sandbox that is not there and for one that is not shown, as the service gives it. */
export const NoSandboxPage = () => (
  <Page title="There is no such sandbox">
    <EmptyState title="This sandbox does not exist, or your account may not see it">
      <p>Ask whoever sent you the link to have your role extended to it.</p>
      <Anchor component={Link} to="/">
        Go to the overview
      </Anchor>
    </EmptyState>
  </Page>
);
