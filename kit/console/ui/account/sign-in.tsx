// The form to sign in with: a session, whose cookie no script can read.
import { useRef, useState } from "preact/hooks";
import { ApiError, client } from "../api/client";
import { settings } from "../api/settings";
import { reason } from "../parts/say";
import { Switch } from "../texts/switch";
import { t } from "../texts/text";

export function SignIn({ onDone, onSkip }: { onDone: () => Promise<void>; onSkip?: (() => void) | undefined }) {
  const [message, tell] = useState("");
  const [second, askCode] = useState(false);
  const [busy, work] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const given = new FormData(form.current!);
    work(true);
    tell("");
    try {
      const { requires2FA } = await client.session.signIn({
        email: String(given.get("email")), password: String(given.get("password")), ...(second && { totpToken: String(given.get("code")) }),
      });
      if (requires2FA) {
        askCode(true);
        tell(t("Enter the code of your second factor."));
      } else {
        await onDone();
      }
    } catch (err) {
      tell(err instanceof ApiError && err.details[0] ? `${err.details[0].field}: ${err.details[0].message}` : reason(err));
    } finally {
      work(false);
    }
  }

  return (
    <main class="alone">
      <form class="sign-in" ref={form} onSubmit={submit}>
        <p class="brand">{settings.name} <span>{t("console")}</span></p>
        <h1>{t("Sign in")}</h1>
        <label>{t("E-mail")}<input name="email" type="email" autocomplete="username" required autofocus /></label>
        <label>{t("Password")}<input name="password" type="password" autocomplete="current-password" required /></label>
        {second && <label>{t("One-time code")}<input name="code" inputMode="numeric" autocomplete="one-time-code" required autofocus /></label>}
        <p class="message" role="alert">{message}</p>
        <button class="primary" disabled={busy}>{busy ? t("Signing in…") : t("Sign in")}</button>
        {onSkip && <button type="button" class="quiet" onClick={onSkip}>{t("Look around without signing in")}</button>}
        <Switch />
      </form>
    </main>
  );
}
