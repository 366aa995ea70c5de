// What stands in a mail that only its reader may know: tokens of links, and long random
// texts. The service keeps mails without them in production; in development it keeps
// them, and the screen hides them until they are asked for.

const parameter = /([?&;#][a-z0-9_.-]*(?:token|code|key|secret|password|signature|otp)[a-z0-9_.-]*=)[^&;#\s"'<>]+/gi;
const random = /(?<![A-Za-z0-9_-])(?:[0-9A-Fa-f]{32,}|(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{40,})(?![A-Za-z0-9_-])/g;

export const redact = (text: string): string => text.replace(parameter, "$1[redacted]").replace(random, "[redacted]");
