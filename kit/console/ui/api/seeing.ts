// An admin who sees as another: by a token that only reads, in memory alone, so that a
// page that is loaded anew is the admin's own. To see as nobody, requests go without credentials.

export interface Seeing {
  /** Empty for nobody. */
  token: string;
  /** The session of the admin that ends it, empty for nobody. */
  session: string;
  /** Whose eyes these are: the name of a user, or a role. */
  who: string;
  role: string;
  user: boolean;
  /** When it ends by itself, in milliseconds since 1970: never for nobody. */
  until: number;
}

export const seeing = {
  now: undefined as Seeing | undefined,
  /** Called when it has begun or ended. */
  changed: (): void => {},
  begin(one: Seeing): void { seeing.now = one; seeing.changed(); },
  /** Forgets the token, and returns what it was. */
  end(): Seeing | undefined {
    const was = seeing.now;
    seeing.now = undefined;
    if (was) seeing.changed();
    return was;
  },
};
