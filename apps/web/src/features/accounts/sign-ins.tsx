import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { Tag } from '../../ui/facts.tsx';
import { SettingsSection } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { nameBrowser } from './name-browser.ts';

type SignIn = ApiOutputs['me']['signIns']['sign_ins'][number];

export const SignInsSection = () => {
  const query = useQuery(trpc.me.signIns.queryOptions());
  const [ending, setEnding] = useState<SignIn | 'others' | null>(null);
  const end = () =>
    api.me.endSignIns.mutate(
      ending && ending !== 'others' ? { sign_in_id: ending.sign_in_id } : {},
    );
  return (
    <SettingsSection title="Where you are signed in">
      <QueryState query={query}>
        {({ sign_ins }) => (
          <Stack gap="xs">
            {sign_ins.map((signIn) => (
              <SignInLine key={signIn.sign_in_id} signIn={signIn} onEnd={() => setEnding(signIn)} />
            ))}
            {sign_ins.length > 1 && (
              <Button variant="default" mr="auto" onClick={() => setEnding('others')}>
                Sign out everywhere else
              </Button>
            )}
          </Stack>
        )}
      </QueryState>
      <ConfirmDialog
        opened={ending !== null}
        onClose={() => setEnding(null)}
        title={ending === 'others' ? 'Sign out everywhere else?' : 'End this sign-in?'}
        action="Sign out"
        isDestructive
        onConfirm={end}
        invalidates={[trpc.me.signIns.pathKey()]}
        done={({ ended }) =>
          ended === 1 ? 'One sign-in has ended.' : `${ended} sign-ins have ended.`
        }
      >
        That browser has to sign in again. You stay signed in here.
      </ConfirmDialog>
    </SettingsSection>
  );
};

const SignInLine = ({ signIn, onEnd }: { signIn: SignIn; onEnd: () => void }) => {
  const { created, address, user_agent, current } = signIn;
  const browser = nameBrowser(user_agent);
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" title={user_agent}>
          {browser} {current && <Tag tone="good">this one</Tag>}
        </Text>
        <Text size="xs" c="dimmed">
          {address && `${address}, `}since <TimeText at={created} />
        </Text>
      </div>
      {!current && (
        <Button variant="subtle" color="gray" aria-label={`Sign out ${browser}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </Group>
  );
};
