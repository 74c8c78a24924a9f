// Runs once inside the engine, before any program; what it leaves behind is part of the memory image.
// Guest code may later poison every prototype and global it can reach, so this file uses captured intrinsics only:
// no for-of, no spread, no array destructuring, no method call on a guest's value, no store into an array that still
// has Array.prototype (a setter there would see it).
(function boot(print, consoleRoom, callHelper, helperNames) {
  'use strict';

  const apply = Reflect.apply;
  const { getPrototypeOf, setPrototypeOf, getOwnPropertyDescriptor, hasOwn, defineProperty, keys, freeze } = Object;
  const ObjectPrototype = Object.prototype;
  const ArrayPrototype = Array.prototype;
  const ErrorPrototype = Error.prototype;
  const isArray = Array.isArray;
  const NativeError = Error;
  const quote = JSON.stringify;
  const sameValue = Object.is;

  const capture = (prototype, name) => prototype[name];
  const getter = (prototype, name) => getOwnPropertyDescriptor(prototype, name).get;
  const dateTime = capture(Date.prototype, 'getTime');
  const dateText = capture(Date.prototype, 'toISOString');
  const mapForEach = capture(Map.prototype, 'forEach');
  const setForEach = capture(Set.prototype, 'forEach');
  const mapGet = capture(Map.prototype, 'get');
  const mapSet = capture(Map.prototype, 'set');
  const setAdd = capture(Set.prototype, 'add');
  const symbolText = capture(Symbol.prototype, 'toString');
  const bigintText = capture(BigInt.prototype, 'toString');
  const numberText = capture(Number.prototype, 'toString');
  const indexOf = capture(String.prototype, 'indexOf');
  const slice = capture(String.prototype, 'slice');
  const arrayBufferLength = getter(ArrayBuffer.prototype, 'byteLength');
  const regexpSource = getter(RegExp.prototype, 'source');
  const regexpFlags = [
    ['d', getter(RegExp.prototype, 'hasIndices')],
    ['g', getter(RegExp.prototype, 'global')],
    ['i', getter(RegExp.prototype, 'ignoreCase')],
    ['m', getter(RegExp.prototype, 'multiline')],
    ['s', getter(RegExp.prototype, 'dotAll')],
    ['u', getter(RegExp.prototype, 'unicode')],
    ['v', getter(RegExp.prototype, 'unicodeSets')],
    ['y', getter(RegExp.prototype, 'sticky')],
  ];
  const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
  const typedArrayLength = getter(TypedArrayPrototype, 'length');
  const typedArrayTag = getter(TypedArrayPrototype, Symbol.toStringTag);
  const NativeMap = Map;
  const NativeSet = Set;
  const NativeUint8Array = Uint8Array;
  const DatePrototype = Date.prototype;
  const MapPrototype = Map.prototype;
  const SetPrototype = Set.prototype;
  const Uint8ArrayPrototype = Uint8Array.prototype;
  const ArrayBufferPrototype = ArrayBuffer.prototype;
  const RegExpPrototype = RegExp.prototype;

  delete globalThis.SharedArrayBuffer;

  // An array without prototype: storing by index reaches no setter of the guest's.
  const list = () => setPrototypeOf([], null);
  const nothing = list();

  const cut = (text, length) => (text.length > length ? apply(slice, text, [0, length]) : text);

  // ---------------------------------------------------------------------------------------------------------------
  // Results

  // How deep the packer follows: `maxLevels` in serial-form.ts. It recurses, and the guest's stack holds little more.
  const maxDepth = 250;
  const tooDeep = 'is nested deeper than ' + maxDepth + ' levels';

  /**
   * True when the value is made of plain objects, arrays and primitives alone: then the engine's own form is exact.
   * Asked only after the engine has written the value, so that it holds no accessor and no proxy.
   */
  function isPlain(root) {
    const open = list();
    open[0] = root;
    let count = 1;
    while (count > 0) {
      const value = open[--count];
      const prototype = getPrototypeOf(value);
      if (prototype === ArrayPrototype && isArray(value)) {
        for (let index = 0, length = value.length; index < length; index++) {
          const item = value[index];
          if (typeof item === 'object' && item !== null) open[count++] = item;
        }
      } else if (prototype === ObjectPrototype || prototype === null) {
        const names = keys(value);
        for (let index = 0, length = names.length; index < length; index++) {
          const item = value[names[index]];
          if (typeof item === 'object' && item !== null) open[count++] = item;
        }
      } else return false;
    }
    return true;
  }

  /**
   * A packed form in which everything that may cross is made of arrays and primitives; see value-codec.ts.
   * An object that occurs again is read once, and counts toward `maxBytes` as often as it occurs.
   */
  function pack(root, maxBytes, rootName = 'result') {
    const path = list(); // indexes, property names, and -1 - n for entry n of a collection
    let bytes = 0;
    let causes = 0;
    let failure = null;
    // Containers by their numbers; a number without a packed form is one of the ancestors.
    const numbers = new NativeMap();
    const packedForms = list();
    const sizes = list();
    const heights = list();
    let count = 0;
    let height = 0;

    function add(value, depth) {
      // Never more than what the serial form will take, of which the host judges the exact size.
      bytes += 1;
      if (bytes > maxBytes) return fail('size', bytes);
      switch (typeof value) {
        case 'string':
          bytes += 1 + value.length;
          return value;
        case 'bigint':
          bytes += apply(bigintText, value, [16]).length >> 1;
          return value;
        case 'number':
          bytes += 1;
          return value;
        case 'undefined':
        case 'boolean':
          return value;
        case 'function':
          return problem(depth, 'is a function');
        case 'symbol':
          return problem(depth, 'is a symbol');
        default:
          return value === null ? null : addObject(value, depth);
      }
    }

    // One long function: every call more per level would cost the depth that the guest's stack can hold.
    function addObject(value, depth) {
      const known = apply(mapGet, numbers, [value]);
      if (known !== undefined) return repeat(known, depth);
      if (depth >= maxDepth) return problem(0, tooDeep);
      let prototype;
      let isList;
      try {
        prototype = getPrototypeOf(value);
        isList = isArray(value);
      } catch {
        return refuse(value, depth); // a proxy that misbehaves
      }
      const outerBytes = bytes;
      bytes += 6; // its kind in the packed form, at the least
      if (prototype === DatePrototype) return addLeaf('date', readDate, value, depth);
      if (prototype === Uint8ArrayPrototype) return addLeaf('bytes', readBytes, value, depth);
      if (prototype === ArrayBufferPrototype) return addLeaf('buffer', readBuffer, value, depth);

      const number = count++;
      apply(mapSet, numbers, [value, number]);
      const outerHeight = height;
      height = 0;
      let packed;
      if (isList) packed = prototype === ArrayPrototype ? addItems(value, depth) : refuse(value, depth);
      else if (prototype === ObjectPrototype || prototype === null) packed = addProperties(value, depth);
      else if (prototype === MapPrototype) packed = addEntries('map', mapForEach, value, depth);
      else if (prototype === SetPrototype) packed = addEntries('set', setForEach, value, depth);
      else packed = isError(value) ? addError(value, depth) : refuse(value, depth);
      height++;
      packedForms[number] = packed;
      sizes[number] = bytes - outerBytes;
      heights[number] = height;
      if (outerHeight > height) height = outerHeight;
      return packed;
    }

    function repeat(number, depth) {
      if (packedForms[number] === undefined) {
        return problem(depth, 'is a cycle: it is one of its own ancestors');
      }
      if (depth + heights[number] > maxDepth) return problem(0, tooDeep);
      bytes += sizes[number];
      if (heights[number] > height) height = heights[number];
      return packedForms[number];
    }

    function addItems(value, depth) {
      const packed = list();
      packed[0] = 'array';
      const length = value.length;
      for (let index = 0; index < length && failure === null; index++) {
        path[depth] = index;
        // A hole is undefined, whatever lies on Array.prototype.
        packed[index + 1] = add(hasOwn(value, index) ? value[index] : undefined, depth + 1);
      }
      return packed;
    }

    function addProperties(value, depth) {
      const packed = list();
      packed[0] = 'object';
      const names = keys(value);
      for (let index = 0, length = names.length; index < length && failure === null; index++) {
        const name = names[index];
        bytes += 2 + name.length;
        path[depth] = name;
        packed[index * 2 + 1] = name;
        packed[index * 2 + 2] = add(value[name], depth + 1);
      }
      return packed;
    }

    // Collected first: reading an item may run guest code, which may change the collection.
    function addEntries(tag, forEach, value, depth) {
      const items = list();
      let length = 0;
      try {
        const collect = (item, key) => {
          if (tag === 'map') items[length++] = key;
          items[length++] = item;
        };
        apply(forEach, value, [collect]);
      } catch {
        return refuse(value, depth);
      }
      const packed = list();
      packed[0] = tag;
      for (let index = 0; index < length && failure === null; index++) {
        path[depth] = -1 - (tag === 'map' ? index >> 1 : index);
        packed[index + 1] = add(items[index], depth + 1);
      }
      return packed;
    }

    function addError(error, depth) {
      const packed = list();
      const cause = readError(packed, error, maxBytes);
      bytes += packed[1].length + packed[2].length + packed[3].length;
      packed[6] = undefined;
      if (cause !== undefined && causes < maxCauses) {
        path[depth] = 'cause';
        causes++;
        packed[6] = add(cause, depth + 1);
        causes--;
      }
      return packed;
    }

    function addLeaf(kind, read, value, depth) {
      try {
        return setPrototypeOf([kind, read(value)], null);
      } catch {
        // It only has the prototype of such a thing, or its bytes are gone.
        return refuse(value, depth, ' that cannot be read');
      }
    }

    function readDate(value) {
      return apply(dateTime, value, nothing);
    }

    // The first read of each throws for what only looks like bytes, or like a buffer.
    function readBytes(value) {
      if (apply(typedArrayTag, value, nothing) !== 'Uint8Array') throw value;
      return copyBytes(value, apply(typedArrayLength, value, nothing));
    }

    function readBuffer(value) {
      const length = apply(arrayBufferLength, value, nothing);
      return copyBytes(new NativeUint8Array(value), length);
    }

    // The serial form of a view holds the whole buffer behind it, and that of a buffer seen before a mere reference.
    function copyBytes(view, length) {
      bytes += length;
      return bytes > maxBytes ? null : new NativeUint8Array(view);
    }

    function refuse(value, depth, more = '') {
      return problem(depth, 'is ' + describeKind(value) + more);
    }

    function problem(depth, what) {
      let place = rootName;
      for (let index = 0; index < depth; index++) place += renderStep(path[index]);
      return fail('problem', place + ' ' + what);
    }

    function fail(kind, what) {
      failure = setPrototypeOf([kind, what], null);
      return null;
    }

    const packed = add(root, 0);
    if (failure === null && bytes > maxBytes) fail('size', bytes);
    return failure === null ? setPrototypeOf(['value', packed], null) : failure;
  }

  function renderStep(step) {
    if (typeof step === 'string') return isIdentifier(step) ? '.' + step : '[' + quote(step) + ']';
    return step >= 0 ? '[' + step + ']' : ' entry ' + (-1 - step);
  }

  function describeKind(value) {
    try {
      const tag = apply(typedArrayTag, value, nothing);
      if (tag !== undefined && tag !== 'Uint8Array') return 'a ' + tag + '; only Uint8Array and ArrayBuffer cross';
      const maker = value.constructor;
      const name = typeof maker === 'function' ? maker.name : '';
      return typeof name === 'string' && name !== ''
        ? 'an instance of ' + name
        : 'an object with a prototype of its own';
    } catch {
      return 'an object that refuses to be read';
    }
  }

  function isIdentifier(name) {
    if (name.length === 0) return false;
    for (let index = 0; index < name.length; index++) {
      const letter = name[index];
      const digit = letter >= '0' && letter <= '9';
      if (
        !(
          (letter >= 'a' && letter <= 'z') ||
          (letter >= 'A' && letter <= 'Z') ||
          letter === '_' ||
          letter === '$' ||
          (digit && index > 0)
        )
      )
        return false;
    }
    return true;
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Errors

  // Causes are followed this far; a longer chain is cut.
  const maxCauses = 8;

  function isError(value) {
    let prototype = getPrototypeOf(value);
    for (let steps = 0; prototype !== null && steps < 100; steps++) {
      if (prototype === ErrorPrototype) return true;
      prototype = getPrototypeOf(prototype);
    }
    return false;
  }

  const isErrorObject = (value) => typeof value === 'object' && value !== null && isError(value);

  // A field that is not what it is supposed to be, or that throws when read, reads as the fallback.
  function field(value, name, fallback) {
    try {
      const found = value[name];
      return typeof found === 'string' ? found : fallback;
    } catch {
      return fallback;
    }
  }

  // The packed form of an error without its cause, which is given back.
  function readError(packed, error, maxText) {
    packed[0] = 'error';
    packed[1] = shorten(field(error, 'name', 'Error'), maxText);
    packed[2] = shorten(field(error, 'message', ''), maxText);
    packed[3] = shorten(field(error, 'stack', ''), maxText);
    let code;
    try {
      code = error.code;
    } catch {}
    packed[4] = typeof code === 'string' ? shorten(code, maxText) : typeof code === 'number' ? code : undefined;
    const errorPath = field(error, 'path', undefined);
    packed[5] = errorPath === undefined ? undefined : shorten(errorPath, maxText);
    try {
      return error.cause;
    } catch {
      return undefined;
    }
  }

  const shorten = (text, length) => (text.length > length ? cut(text, length) + '…' : text);

  // An outcome is read by people and models; a guest must not flood them through an error.
  const maxErrorText = 16 * 1024;
  const maxThrownText = 1000;
  const unreadable = 'an object that refuses to be read';

  /** What was thrown: an error's fields, or the value itself with a short rendering. */
  function describeThrown(thrown, maxBytes) {
    try {
      if (isErrorObject(thrown)) return describeError(thrown, 0);
    } catch {
      return thrownWithout(unreadable);
    }
    const text = renderThrown(thrown);
    try {
      const packed = pack(thrown, maxBytes, 'thrown');
      if (packed[0] !== 'value') return thrownWithout(text);
      return setPrototypeOf(['thrown', text, packed[1]], null);
    } catch {
      return thrownWithout(text);
    }
  }

  const thrownWithout = (text) => setPrototypeOf(['thrownLossy', text], null);

  function describeError(error, causes) {
    const packed = list();
    const cause = readError(packed, error, maxErrorText);
    packed[6] = undefined;
    if (cause !== undefined && causes < maxCauses) {
      packed[6] = isErrorObject(cause)
        ? describeError(cause, causes + 1)
        : setPrototypeOf(['error', 'Thrown', renderThrown(cause), '', undefined, undefined, undefined], null);
    }
    return packed;
  }

  function renderThrown(value) {
    try {
      return shorten(inspect(value, true, maxThrownText), maxThrownText);
    } catch {
      return unreadable;
    }
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Input

  /** The value for a packed form made by the host. */
  function revive(packed) {
    if (!isArray(packed)) return packed;
    const tag = packed[0];
    const length = packed.length;
    if (tag === 'array') {
      const result = [];
      for (let index = 1; index < length; index++) define(result, index - 1, revive(packed[index]));
      return result;
    }
    if (tag === 'object') {
      const result = {};
      for (let index = 1; index < length; index += 2) define(result, packed[index], revive(packed[index + 1]));
      return result;
    }
    if (tag === 'map') {
      const result = new NativeMap();
      for (let index = 1; index < length; index += 2)
        apply(mapSet, result, [revive(packed[index]), revive(packed[index + 1])]);
      return result;
    }
    if (tag === 'set') {
      const result = new NativeSet();
      for (let index = 1; index < length; index++) apply(setAdd, result, [revive(packed[index])]);
      return result;
    }
    if (tag === 'error') return reviveError(packed);
    return packed[1]; // 'native': the engine's own form holds it
  }

  function define(target, key, value) {
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }

  function reviveError(packed) {
    const error = new NativeError(packed[2]);
    hide(error, 'name', packed[1]);
    hide(error, 'stack', packed[3]);
    if (packed[4] !== undefined) define(error, 'code', packed[4]);
    if (packed[6] !== undefined) hide(error, 'cause', revive(packed[6]));
    return error;
  }

  function hide(target, key, value) {
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }

  /** Freezes plain data all the way down; returns it. */
  function deepFreeze(value) {
    if (typeof value !== 'object' || value === null) return value;
    const names = keys(value);
    for (let index = 0; index < names.length; index++) deepFreeze(value[names[index]]);
    return freeze(value);
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Console

  const maxShownDepth = 4;
  const maxShownItems = 100;
  const maxShownText = 10_000;

  /** A readable form of the value, not much longer than `room`: what is beyond is left out. */
  function inspect(value, quoted, room) {
    const ancestors = list();
    let left = room;

    function show(item, depth, inside) {
      if (left <= 0) return '…';
      left -= 2; // what stands between two values
      if (typeof item === 'object' && item !== null) return showObject(item, depth);
      const text = showPrimitive(item, inside);
      left -= text.length;
      return text;
    }

    function showPrimitive(item, inside) {
      switch (typeof item) {
        case 'string':
          return inside ? showText(item) : cut(item, left);
        case 'number':
          return sameValue(item, -0) ? '-0' : apply(numberText, item, []);
        case 'bigint':
          return apply(bigintText, item, []) + 'n';
        case 'symbol':
          return apply(symbolText, item, []);
        case 'undefined':
          return 'undefined';
        case 'boolean':
          return item ? 'true' : 'false';
        case 'function':
          return '[Function: ' + field(item, 'name', '') + ']';
        default:
          return 'null';
      }
    }

    function showText(text) {
      const shown = quote(cut(text, maxShownText));
      return text.length > maxShownText ? shown + '… ' + (text.length - maxShownText) + ' more characters' : shown;
    }

    function showObject(item, depth) {
      for (let index = 0; index < depth; index++) if (ancestors[index] === item) return '[Circular]';
      const leaf = showLeaf(item);
      if (leaf !== undefined) {
        left -= leaf.length;
        return leaf;
      }
      const prototype = getPrototypeOf(item);
      if (depth >= maxShownDepth) {
        left -= 6;
        return isArray(item) ? '[Array]' : '[Object]';
      }
      ancestors[depth] = item;
      if (isArray(item)) return showItems('[', ']', item.length, (index) => showProperty(item, '' + index, depth));
      const tag = apply(typedArrayTag, item, []);
      if (tag !== undefined) {
        const length = apply(typedArrayLength, item, []);
        return tag + '(' + length + ') ' + showItems('[', ']', length, (index) => show(item[index], depth + 1, true));
      }
      if (prototype === MapPrototype) return showCollection('Map', mapForEach, item, depth);
      if (prototype === SetPrototype) return showCollection('Set', setForEach, item, depth);
      const names = keys(item);
      const maker = prototype === null || prototype === ObjectPrototype ? '' : makerName(item);
      const body = showItems('{ ', ' }', names.length, (index) => {
        const name = names[index];
        left -= name.length;
        return (isIdentifier(name) ? name : showText(name)) + ': ' + showProperty(item, name, depth);
      });
      return maker === '' ? body : maker + ' ' + body;
    }

    function showProperty(item, name, depth) {
      const descriptor = getOwnPropertyDescriptor(item, name);
      if (descriptor === undefined) return 'undefined';
      if (!hasOwn(descriptor, 'value')) return '[Getter]';
      return show(descriptor.value, depth + 1, true);
    }

    function showItems(opening, closing, length, showOne) {
      let text = '';
      for (let index = 0; index < length; index++) {
        if (index === maxShownItems || left <= 0) {
          text += ', … ' + (length - index) + ' more';
          break;
        }
        text += (index === 0 ? '' : ', ') + showOne(index);
      }
      return text === '' ? (opening === '[' ? '[]' : '{}') : opening + text + closing;
    }

    function showCollection(name, forEach, item, depth) {
      let text = '';
      let count = 0;
      apply(forEach, item, [
        (value, key) => {
          if (count++ >= maxShownItems || left <= 0) return;
          const shown = show(value, depth + 1, true);
          text += (text === '' ? '' : ', ') + (name === 'Map' ? show(key, depth + 1, true) + ' => ' + shown : shown);
        },
      ]);
      const more = count > maxShownItems ? ', … ' + (count - maxShownItems) + ' more' : '';
      return name + '(' + count + ')' + (text === '' ? ' {}' : ' { ' + text + more + ' }');
    }

    return show(value, 0, quoted);
  }

  // What is shown without its properties.
  function showLeaf(item) {
    if (isError(item)) return showError(item);
    const prototype = getPrototypeOf(item);
    if (prototype === DatePrototype) return showDate(item);
    if (prototype === RegExpPrototype) return showRegExp(item);
    if (prototype === ArrayBufferPrototype) return 'ArrayBuffer(' + apply(arrayBufferLength, item, []) + ')';
    return undefined;
  }

  // Flag by flag: the getter `flags` reads the others by their names, which the guest may have replaced.
  function showRegExp(expression) {
    let text = '/' + apply(regexpSource, expression, []) + '/';
    for (let index = 0; index < regexpFlags.length; index++) {
      if (apply(regexpFlags[index][1], expression, [])) text += regexpFlags[index][0];
    }
    return text;
  }

  function showDate(date) {
    try {
      return apply(dateText, date, []);
    } catch {
      return 'Invalid Date';
    }
  }

  function showError(error) {
    const name = shorten(field(error, 'name', 'Error'), maxErrorText);
    const stack = shorten(field(error, 'stack', ''), maxErrorText);
    const head = name + ': ' + shorten(field(error, 'message', ''), maxErrorText);
    return stack === '' ? head : head + '\n' + trimEnd(stack);
  }

  const trimEnd = (text) => (text[text.length - 1] === '\n' ? apply(slice, text, [0, -1]) : text);

  function makerName(value) {
    const maker = value.constructor;
    return typeof maker === 'function' ? field(maker, 'name', '') : '';
  }

  function addConsoleMethod(level) {
    const method = {
      [level](...values) {
        try {
          const room = consoleRoom();
          let text = '';
          for (let index = 0; index < values.length && text.length <= room; index++) {
            text += (index === 0 ? '' : ' ') + safely(values[index], room + 1 - text.length);
          }
          // Below 0 the output was cut already. One character too many tells the host to cut it now.
          if (room >= 0) print(level, cut(text, room + 1));
        } catch {}
      },
    }[level];
    define(console, level, method);
  }

  function safely(value, room) {
    try {
      return inspect(value, false, room);
    } catch {
      return '[an object that refuses to be shown]';
    }
  }

  const console = {};
  addConsoleMethod('log');
  addConsoleMethod('info');
  addConsoleMethod('warn');
  addConsoleMethod('error');
  addConsoleMethod('debug');
  defineProperty(globalThis, 'console', {
    __proto__: null,
    value: console,
    writable: true,
    enumerable: false,
    configurable: true,
  });

  // ---------------------------------------------------------------------------------------------------------------
  // Helpers

  // What a helper is called with: primitives as they are, plain option objects by their fields, all else by its kind.
  function packArguments(values) {
    // Nearly every call: the engine's own form holds the arguments as they are.
    if (holdsPrimitives(values)) return values;
    const packed = list();
    for (let index = 0; index < values.length; index++) packed[index] = packArgument(values[index]);
    return packed;
  }

  function holdsPrimitives(values) {
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      const type = typeof value;
      if (type === 'function' || type === 'symbol' || (type === 'object' && value !== null)) return false;
    }
    return true;
  }

  function packArgument(value) {
    const type = typeof value;
    if (type === 'function' || type === 'symbol') return other(value);
    if (type !== 'object' || value === null) return value;
    const prototype = getPrototypeOf(value);
    if (isArray(value) || (prototype !== ObjectPrototype && prototype !== null)) return other(value);
    const packed = setPrototypeOf(['options'], null);
    const names = keys(value);
    for (let index = 0; index < names.length; index++) {
      const item = value[names[index]];
      const plain = typeof item === 'object' ? item === null : typeof item !== 'function' && typeof item !== 'symbol';
      packed[index * 2 + 1] = names[index];
      packed[index * 2 + 2] = plain ? item : other(item);
    }
    return packed;
  }

  function other(value) {
    const type = typeof value;
    const kind = type !== 'object' ? 'a ' + type : isArray(value) ? 'an array' : 'an object';
    return setPrototypeOf(['other', kind], null);
  }

  function addHelper(name, id) {
    return {
      [name](...values) {
        const reply = callHelper(id, packArguments(values));
        if (!isArray(reply) || reply[0] !== 'refused') return revive(reply);
        const error = new NativeError(reply[2]);
        hide(error, 'name', reply[1]);
        hide(error, 'stack', withoutOwnFrames(field(error, 'stack', '')));
        define(error, 'code', reply[3]);
        if (reply[4] !== undefined) define(error, 'path', reply[4]);
        throw error;
      },
    }[name];
  }

  // Drops the frames of this file, so that a stack begins where the guest called.
  function withoutOwnFrames(stack) {
    let kept = '';
    let start = 0;
    while (start < stack.length) {
      const found = apply(indexOf, stack, ['\n', start]);
      const end = found === -1 ? stack.length : found + 1;
      const line = apply(slice, stack, [start, end]);
      if (apply(indexOf, line, ['(<porthole>:']) === -1) kept += line;
      start = end;
    }
    return kept;
  }

  const helpers = list();
  for (let index = 0; index < helperNames.length; index++) helpers[index] = addHelper(helperNames[index], index);

  // An expression has nobody to tell anything; called before its text is compiled.
  const removeConsole = () => {
    delete globalThis.console;
  };

  return [isPlain, pack, describeThrown, revive, deepFreeze, freeze({}), helpers, removeConsole];
});
