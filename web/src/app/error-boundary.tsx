import { Component, type ReactNode } from 'react'

import { type PageLocation, useLocation } from '../shared/url/navigation.tsx'
import { ErrorPage } from './error-page.tsx'

/**
 * Shows the error page in place of a page that throws while it renders. The error page disappears
 * when the user opens a new page.
 */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary location={useLocation()}>{children}</Boundary>
}

type BoundaryProps = { location: PageLocation; children: ReactNode }
type BoundaryState = { location: PageLocation | null; failure: { error: unknown } | null }

/**
 * This component is a class, because React catches errors of rendering only in class components.
 */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { location: null, failure: null }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps(
    { location }: BoundaryProps,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    return location === state.location ? null : { location, failure: null }
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure === null ? this.props.children : <ErrorPage error={failure.error} />
  }
}
