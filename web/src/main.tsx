import './app/styles/app.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

import { queryClient } from './app/query-client.ts'
import { createRouter, type Router } from './app/router.ts'
import { RouterView } from './app/router-view.tsx'
import { followTheme } from './shared/preferences/theme.ts'

// Zod must not use `new Function`. The content security policy forbids it, and the browser would
// report each attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme()
if (root.hasChildNodes()) {
  // The hydration starts in a separate task, so that the browser can show the prerendered page
  // first.
  setTimeout(() => void hydrateWhenReady(root))
} else {
  renderApp(root, createRouter())
}

/** Waits until the chunk of the prerendered page has loaded, then hydrates the page. */
async function hydrateWhenReady(drawn: HTMLElement): Promise<void> {
  const router = createRouter()
  await router.ready
  renderApp(drawn, router)
}

/**
 * Renders as a transition, so that the main thread stays responsive. Prerendered markup is reused.
 */
function renderApp(into: HTMLElement, router: Router): void {
  const page = (
    <StrictMode>
      <ActivateOnMount onceIn={into}>
        <QueryClientProvider client={queryClient}>
          <RouterView router={router} />
        </QueryClientProvider>
      </ActivateOnMount>
    </StrictMode>
  )
  startTransition(() => {
    if (into.dataset.drawn === 'whole') hydrateRoot(into, page)
    else createRoot(into).render(page)
  })
}

/**
 * Removes `inert` from the page on mount. `inert` prevents typing before the hydration, because the
 * page would lose the typed text.
 */
function ActivateOnMount({ onceIn, children }: { onceIn: HTMLElement; children: ReactNode }) {
  useLayoutEffect(() => {
    onceIn.inert = false
    delete onceIn.dataset.drawn
  }, [onceIn])
  return children
}
