// The palette and the list of shortcuts, loaded on first use.
export { KeysDialog } from './keys-dialog.tsx';
export { Palette } from './palette.tsx';
