import type { Context, Next } from 'koa'
import type { Dependencies } from '../../platform/dependencies.ts'
import { escapeHtml } from '../../platform/mail/layout.ts'
import { readUnsubscribeToken, UNSUBSCRIBE_PATH } from '../../platform/mail/unsubscribe-token.ts'
import { KIND_NAMES } from './store-announcement.ts'

const CALL_PATH = '/api/v1/public/unsubscribe'

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.25rem;color:#1d2420;background:#f3f4f1}
h1{font-size:1.5rem;line-height:1.3}
a{color:#0e5c4a}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border:0;border-radius:.5rem;color:#fff;background:#0e5c4a}
button:focus-visible,a:focus-visible{outline:3px solid #0e5c4a;outline-offset:2px}
@media(prefers-color-scheme:dark){body{color:#e8ebe9;background:#141816}a{color:#7fd1b9}button{color:#10211b;background:#7fd1b9}button:focus-visible,a:focus-visible{outline-color:#7fd1b9}}`

/**
 * Answers the link in a mail without a script, so that it works in every mail program. Reading the
 * page changes nothing, because scanners open links; its form and mail programs send a POST, which
 * is the declared call.
 */
export function createUnsubscribePage({ seal, settings }: Pick<Dependencies, 'seal' | 'settings'>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (ctx.path !== UNSUBSCRIBE_PATH || (!isRead && ctx.method !== 'POST')) return next()
    const { general } = await settings.read()
    const { siteName } = general
    const token = typeof ctx.query.token === 'string' ? ctx.query.token : ''
    const subscription = readUnsubscribeToken(seal, token)
    if (subscription === null) {
      sendPage(ctx, { siteName, status: 400, ...INVALID })
      return
    }
    const name = `${KIND_NAMES[subscription.kind]}s`
    if (isRead) {
      sendPage(ctx, { siteName, status: 200, ...askToConfirm(name, token) })
      return
    }
    ctx.path = CALL_PATH
    ctx.state.showFailure = () =>
      sendPage(ctx, { siteName, status: ctx.status, ...offerRepetition(name, token) })
    await next()
    sendPage(ctx, { siteName, status: 200, ...confirmDone(name) })
  }
}

interface Part {
  title: string
  /** HTML without unescaped values. */
  content: string
}

const SETTINGS_LINK =
  '<p><a href="/manage/investor/settings?tab=notifications">Open your settings</a></p>'

const INVALID: Part = {
  title: 'This link is not valid',
  content: `<p>You can switch these emails off in your settings.</p>${SETTINGS_LINK}`,
}

function askToConfirm(name: string, token: string): Part {
  return {
    title: `Stop receiving ${name}?`,
    content: `<p>Emails about your account and your money are still sent.</p>
${createForm(token, 'Unsubscribe')}`,
  }
}

function offerRepetition(name: string, token: string): Part {
  return {
    title: 'You are not unsubscribed yet',
    content: `<p>You still receive ${name}, because the site could not save your choice. Try again in a moment.</p>
${createForm(token, 'Try again')}${SETTINGS_LINK}`,
  }
}

function createForm(token: string, label: string): string {
  const action = `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`
  return `<form method="post" action="${escapeHtml(action)}"><button>${label}</button></form>`
}

function confirmDone(name: string): Part {
  return {
    title: 'You are unsubscribed',
    content: `<p>You no longer receive ${name}. You can switch them on again in your settings.</p>${SETTINGS_LINK}`,
  }
}

function sendPage(
  ctx: Context,
  { siteName, status, title, content }: Part & { siteName: string; status: number },
): void {
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(`${title} – ${siteName}`)}</title><style>${STYLE}</style></head>
<body><main><p>${escapeHtml(siteName)}</p><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`
}
