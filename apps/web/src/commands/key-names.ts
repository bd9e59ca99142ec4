const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** "mod+k" as people read it: ["Ctrl", "K"], or ["⌘", "K"]. */
export const nameKeysForPeople = (keys: string): string[] =>
  keys.split('+').map((key) => {
    if (key === 'mod') return isApple ? '⌘' : 'Ctrl';
    return key.length === 1 ? key.toUpperCase() : key.replace('Escape', 'Esc');
  });
