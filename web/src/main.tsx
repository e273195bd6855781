import './styles/app.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'

import { queryClient } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { followTheme } from './preferences/theme.ts'

// Schemas come with later chunks. Without this each would try `new Function`, and the policy report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme()
if (router.state.initialized || !root.hasChildNodes()) draw(root)
else untilInitialized().then(() => draw(root))

/** In slices, as nobody can use the page before; what is typed before its own code stands would be lost. */
function draw(into: HTMLElement): void {
  startTransition(() =>
    createRoot(into).render(
      <StrictMode>
        <Standing onceIn={into}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </Standing>
      </StrictMode>,
    ),
  )
}

function Standing({ onceIn, children }: { onceIn: HTMLElement; children: ReactNode }) {
  useLayoutEffect(() => {
    onceIn.inert = false
    delete onceIn.dataset.drawn
  }, [onceIn])
  return children
}

/** A page that was drawn when the site was built stands until its own code can take its place. */
function untilInitialized(): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}
