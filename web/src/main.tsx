import './app/styles/app.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'

import { queryClient } from './app/query-client.ts'
import { createRouter } from './app/router.tsx'
import { followTheme } from './shared/preferences/theme.ts'

type Router = ReturnType<typeof createRouter>

// Schemas come with later chunks. Without this each would try `new Function`, and the policy report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme()
if (root.hasChildNodes()) {
  // What was drawn can be read meanwhile, so the rest of the work is done in pieces.
  setTimeout(() => void takeOver(root))
} else {
  draw(root, createRouter())
}

/** A page that was drawn when the site was built stands until its own code has come. */
async function takeOver(drawn: HTMLElement): Promise<void> {
  const router = createRouter()
  if (!router.state.initialized) await waitForInitialization(router)
  draw(drawn, router)
}

/** In slices, as nobody can use the page before. What was drawn for everybody alike is kept. */
function draw(into: HTMLElement, router: Router): void {
  const page = (
    <StrictMode>
      <ActivateOnMount onceIn={into}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ActivateOnMount>
    </StrictMode>
  )
  startTransition(() => {
    if (into.dataset.drawn === 'whole') hydrateRoot(into, page)
    else createRoot(into).render(page)
  })
}

/** What is typed before its own code stands would be lost. */
function ActivateOnMount({ onceIn, children }: { onceIn: HTMLElement; children: ReactNode }) {
  useLayoutEffect(() => {
    onceIn.inert = false
    delete onceIn.dataset.drawn
  }, [onceIn])
  return children
}

function waitForInitialization(router: Router): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.subscribe((state) => {
      if (!state.initialized) return
      stop()
      resolve()
    })
  })
}
