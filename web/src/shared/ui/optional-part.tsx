import { Component, type ReactNode, Suspense } from 'react'

/**
 * Shows a part that loads by itself after the page. If it cannot be loaded, such as after a change of
 * the network, it is left out and the page stays.
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
