/**
 * Describes the rules of all endpoints. Each item is a paragraph; the text before its first full
 * stop is the heading.
 */
const PARAGRAPHS: readonly (readonly string[])[] = [
  [
    '**Answers.** Always JSON: `{status: "success", data}`, or `{status: "fail" | "error", message, code}`,',
    'where `fail` is a refusal and `error` a fault of the server. `code` is for programs and keeps its meaning, `message`',
    'is for people, `errors` names the invalid fields, and `requestId` identifies the request in a report to us.',
    'Amounts are numbers with two decimals; a string of digits is accepted too. Times are in UTC.',
  ],
  [
    '**Sessions.** `POST /api/v1/users/login` sets the cookie of the session and the cookie `XSRF-TOKEN`.',
    'With a session, every call that changes something sends the value of `XSRF-TOKEN` in the header',
    '`X-XSRF-TOKEN`. Without a session, the call sends `X-Requested-With: XMLHttpRequest`. A login makes a new token.',
    'A session that is idle for too long ends. A background call, made without a user action, sends',
    '`X-Background: true` and does not count as use.',
  ],
  [
    '**Money is not moved twice.** Calls that make or move money take a header `Idempotency-Key`: 1 to 255',
    'ASCII characters of your choice without spaces, a new one for each act. If the answer was lost,',
    'send the same request with the same key: it is answered as before, and nothing happens a second time.',
    'The same key with other content is answered with 422 `KEY_REUSED`. The answer is repeated for 30 days; later the key is refused.',
  ],
  [
    '**Pages.** `meta.next` leads to the next page: send it as `after`, or as `before` where a call has no `after`. In a list',
    'sorted by amount, rows can be missing or repeated if the amount of the row `after` changes between two calls. The CSV',
    'export does not have this limit.',
  ],
  [
    '**Waiting.** A 429 or a 503 states the seconds until the next attempt in `Retry-After` and in',
    '`retryAfter`. Three answers are possible for every call and not listed at all calls: a 429 `OVERLOADED` while the',
    'platform works on as much as it can: nothing was done; a 503 `SERVER_UNAVAILABLE`',
    'while the database or another server cannot answer: the call may have been carried out, so repeat it with the same `Idempotency-Key`; and a 500 `INTERNAL`, which is a bug of the server. A path or method that is',
    'not here is a 404 `NOT_FOUND`, and a request with two Host headers a 400 `INVALID`.',
  ],
]

export const ABOUT = PARAGRAPHS.map((lines) => lines.join(' ')).join('\n\n')
