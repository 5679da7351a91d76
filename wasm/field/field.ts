/**
 * The instance through which the methods of a field or group class are called. These methods work on addresses and
 * never use `this`, so the instance can be the null address, and every call compiles to a static call. So generic code
 * costs nothing.
 */
// @ts-ignore: decorator
@inline
export function the<T>(): T {
  return changetype<T>(<usize>0);
}
