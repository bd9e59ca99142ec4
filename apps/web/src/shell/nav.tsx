import { Link } from '@tanstack/react-router';
import { Tag } from '../components/tag/tag.tsx';
import classes from './nav.module.css';
import { ADMIN_ENTRIES, SANDBOX_ENTRIES, SESSION_ENTRIES } from './nav-entries.ts';
import { useCurrentSandbox } from './use-current-sandbox.ts';
import { useOpenEntries } from './use-open-entries.ts';

/** `onNavigate` closes what the navigation lies in, on a phone. */
export const Nav = ({ onNavigate }: { onNavigate?: () => void }) => (
  <nav className={classes.nav} aria-label="Main" onClickCapture={onNavigate}>
    <SandboxGroup />
    <PlainGroup title="Play" entries={SESSION_ENTRIES} />
    <PlainGroup title="Administration" entries={ADMIN_ENTRIES} />
  </nav>
);

const SandboxGroup = () => {
  const { sandbox } = useCurrentSandbox();
  const entries = useOpenEntries(SANDBOX_ENTRIES, sandbox?.sandbox_id);
  if (!sandbox || entries.length === 0) return null;
  return (
    <section className={classes.group} data-production={sandbox.protected || undefined}>
      <p className={classes.title}>
        <span className={classes.name}>{sandbox.name}</span>
        {sandbox.protected && <Tag tone="production">protected</Tag>}
      </p>
      <ul>
        {entries.map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ sandbox: sandbox.sandbox_id }}
              activeOptions={{ exact: to === '/s/$sandbox', includeSearch: false }}
              className={classes.link}
            >
              <Icon size={16} stroke={1.6} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

type PlainEntries = typeof SESSION_ENTRIES | typeof ADMIN_ENTRIES;

const PlainGroup = ({ title, entries }: { title: string; entries: PlainEntries }) => {
  const open = useOpenEntries<PlainEntries[number]>(entries);
  if (open.length === 0) return null;
  return (
    <section className={classes.group}>
      <p className={classes.title}>{title}</p>
      <ul>
        {open.map(({ label, to, icon: Icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ includeSearch: false }} className={classes.link}>
              <Icon size={16} stroke={1.6} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
