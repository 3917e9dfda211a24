/**
 * The pool wraps the prototype of a handler's class in one more Proxy for each request and each Durable Object
 * (cloudflare/workers-sdk#15092, present up to version 0.20). Reading a property through n of them takes n² steps. With
 * this Proxy, a prototype has one.
 */
const PlainProxy = Proxy;
const wrapped = new WeakSet<object>();

globalThis.Proxy = new PlainProxy(PlainProxy, {
  construct(target, [value, handler]: [object, ProxyHandler<object>]) {
    if (wrapped.has(value)) return value;
    const proxy = new target(value, handler);
    if (value.constructor?.prototype === value) wrapped.add(proxy);
    return proxy;
  },
});
