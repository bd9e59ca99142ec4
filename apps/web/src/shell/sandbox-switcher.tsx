import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSandboxes } from '../access/sandboxes.ts';
import { lastSandbox } from '../preferences/last-sandbox.ts';
import classes from './sandbox-switcher.module.css';
import { useCurrentSandbox } from './use-current-sandbox.ts';

/** Says in which sandbox one is, on every page, and leads to the overview of another. */
export const SandboxSwitcher = () => {
  const sandboxes = useSandboxes();
  const { sandbox } = useCurrentSandbox();
  const navigate = useNavigate();
  const open = (id: string | null) => {
    if (!id) return;
    lastSandbox.set(id);
    void navigate({ to: '/s/$sandbox', params: { sandbox: id } });
  };
  if (sandboxes.length === 0) return null;
  return (
    <div className={classes.switcher} data-production={sandbox?.protected || undefined}>
      <Select
        aria-label={sandbox?.protected ? 'Sandbox (protected)' : 'Sandbox'}
        data={sandboxes.map(({ sandbox_id, name, protected: isProtected }) => ({
          value: sandbox_id,
          label: isProtected ? `${name} · protected` : name,
        }))}
        value={sandbox?.sandbox_id ?? null}
        placeholder="Unknown sandbox"
        onChange={open}
        searchable={sandboxes.length > 7}
        leftSection={<span className={classes.dot} />}
        leftSectionWidth={26}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
    </div>
  );
};
