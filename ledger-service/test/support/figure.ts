import type { TaskMeta } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    figure?: string
  }
}

/** What a test measured, for whoever reads its report. */
export function noteFigure({ meta }: { readonly meta: TaskMeta }, figure: string): void {
  meta.figure = figure
}
