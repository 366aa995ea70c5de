// Chooses the language of the console.
import { Icon } from "../parts/icon";
import { offered, speak, spoken, t, type Language } from "./text";

export const Switch = () => (
  <label class="language" title={t("Language")}>
    <Icon name="globe" /><span class="hidden">{t("Language")}</span>
    <select onChange={(event) => speak(event.currentTarget.value as Language)}>
      {offered.map(([language, name]) => <option key={language} value={language} lang={language} selected={language === spoken.language}>{name}</option>)}
    </select>
  </label>
);
