// From a pressed key to the command that it stands for.
import { listCommands } from './command-registry.ts';

/** Listens on the whole page. Returns how to stop. */
export const listenForKeys = (): (() => void) => {
  window.addEventListener('keydown', runCommandOf);
  return () => window.removeEventListener('keydown', runCommandOf);
};

const runCommandOf = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing) return;
  const keys = nameKeys(event);
  if (!keys || isTaken(event, keys)) return;
  const command = listCommands().find((known) => known.keys === keys);
  if (!command) return;
  event.preventDefault();
  command.run();
};

/** Shift is part of the character ("?"), Alt belongs to the browser and to layouts. */
const nameKeys = (event: KeyboardEvent): string | null => {
  if (event.altKey) return null;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${name}` : name;
};

/** A letter in a text field is text, Enter on a button presses it, and a dialog keeps its keys. */
const isTaken = (event: KeyboardEvent, keys: string): boolean => {
  if (keys.startsWith('mod+')) return false;
  if (document.querySelector('[aria-modal="true"]')) return true;
  const target = event.target as HTMLElement;
  if (keys === 'Escape') return false;
  if (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  return keys === 'Enter' && target.closest('a, button, [role="button"], [role="option"]') !== null;
};
