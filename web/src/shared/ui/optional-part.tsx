import { Component, type ReactNode, Suspense } from 'react'

/**
 * Shows a part that loads after the page. If the part cannot be loaded, for example after a change
 * of the network, the part is omitted and the page stays.
 */
export class OptionalPart extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>
  }
}
