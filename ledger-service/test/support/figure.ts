import type { TaskMeta } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    figure?: string
  }
}

/** Records a measured value for the test report. */
export function recordFigure({ meta }: { readonly meta: TaskMeta }, figure: string): void {
  meta.figure = figure
}
