<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CompatibilityPage</name>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked on {date}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>检查中…</translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation>兼容性</translation>
    </message>
    <message>
        <source>Every requirement is met; it has not been proven on the GPU yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>No Python environment found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other ways on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a row to see where its fact comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Should be ready for TensorFlow</source>
        <translation>TensorFlow 应可就绪</translation>
    </message>
    <message>
        <source>TensorFlow release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow releases on this machine</source>
        <translation>本机可用的 TensorFlow 版本</translation>
    </message>
    <message>
        <source>TensorFlow {version}, installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The machine and its Python environments are being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is installed: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works, with a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in a fresh environment, Python {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on {cards}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
