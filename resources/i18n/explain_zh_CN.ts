<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnswerColumn</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s), not recognised</source>
        <translation>
            <numerusform>%n 行，未识别</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Also tells of an error</source>
        <translation>还提到了错误</translation>
    </message>
    <message>
        <source>Follows from it</source>
        <translation>由此引起</translation>
    </message>
    <message>
        <source>Harmless</source>
        <translation>无害</translation>
    </message>
    <message>
        <source>Main cause</source>
        <translation>主要原因</translation>
    </message>
    <message>
        <source>Not recognised</source>
        <translation>未识别</translation>
    </message>
    <message>
        <source>Nothing to do</source>
        <translation>无需处理</translation>
    </message>
    <message>
        <source>Show line {number} of the log</source>
        <translation>显示日志第 {number} 行</translation>
    </message>
    <message>
        <source>The lines that tell of it</source>
        <translation>相关的行</translation>
    </message>
    <message>
        <source>What the log means</source>
        <translation>日志的含义</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>lines {numbers}</source>
        <translation>第 {numbers} 行</translation>
    </message>
    <message>
        <source>more than {count} lines</source>
        <translation>超过 {count} 行</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
</context>
<context>
    <name>CauseCard</name>
    <message>
        <source>Show line {number} of the log</source>
        <translation>显示日志第 {number} 行</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
</context>
<context>
    <name>EmptyBlock</name>
    <message>
        <source>Drop a log here</source>
        <translation>把日志拖放到这里</translation>
    </message>
    <message>
        <source>Everything the program printed, from its first line on: the cause often stands far above the last line.</source>
        <translation>程序输出的全部内容，从第一行开始：原因往往远在最后一行之前。</translation>
    </message>
    <message>
        <source>It stays on this machine: nothing is sent anywhere.</source>
        <translation>内容只留在本机，不会发送到任何地方。</translation>
    </message>
    <message>
        <source>Open a log file…</source>
        <translation>打开日志文件…</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste or drop the log here</source>
        <translation>在此粘贴或拖入日志</translation>
    </message>
    <message>
        <source>Started once more like this, it is all in one file:</source>
        <translation>这样重新运行一次，全部输出会写入一个文件：</translation>
    </message>
    <message>
        <source>Text from the terminal (Ctrl+V anywhere on this page) or a file: up to 50 MB, any encoding.</source>
        <translation>终端中的文字（在本页任意处按 Ctrl+V）或文件：最大 50 MB，任何编码均可。</translation>
    </message>
    <message>
        <source>What a log should hold</source>
        <translation>日志应包含什么</translation>
    </message>
    <message>
        <source>What the driver says of the card, pasted together with it:</source>
        <translation>驱动对显卡的描述，请一并粘贴：</translation>
    </message>
</context>
<context>
    <name>ExplainPage</name>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Explain an error</source>
        <translation>解释错误</translation>
    </message>
    <message>
        <source>Logs and text</source>
        <translation>日志和文本</translation>
    </message>
    <message>
        <source>Nothing that is known of this machine changes the answer.</source>
        <translation>本机的已知信息不改变结论。</translation>
    </message>
    <message>
        <source>Open a log file</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>Open a log file…</source>
        <translation>打开日志文件…</translation>
    </message>
    <message>
        <source>The log is read by itself: causes that print the same words are not told apart.</source>
        <translation>只看日志本身：无法区分输出相同文字的不同原因。</translation>
    </message>
    <message>
        <source>The log tells of another system than this machine, so what is known of it was left out.</source>
        <translation>日志来自与本机不同的系统，因此没有使用本机的信息。</translation>
    </message>
    <message>
        <source>The machine is still being looked at; until then the log is read by itself.</source>
        <translation>仍在查看本机；在此之前只看日志本身。</translation>
    </message>
    <message>
        <source>This log is from the recorded machine ({about})</source>
        <translation>此日志来自该录制的机器（{about}）</translation>
    </message>
    <message>
        <source>This log is from this machine ({about})</source>
        <translation>此日志来自本机（{about}）</translation>
    </message>
</context>
<context>
    <name>FindingBody</name>
    <message numerus="yes">
        <source>%n other way(s)</source>
        <translation>
            <numerusform>其他 %n 种方法</numerusform>
        </translation>
    </message>
    <message>
        <source>Prove it afterwards</source>
        <translation>之后进行验证</translation>
    </message>
    <message>
        <source>What to collect</source>
        <translation>需要收集的内容</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>怎么做</translation>
    </message>
    <message>
        <source>Where this comes from</source>
        <translation>依据来源</translation>
    </message>
</context>
<context>
    <name>FoldHead</name>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>展开</translation>
    </message>
</context>
<context>
    <name>LogCard</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Paste another</source>
        <translation>粘贴另一份</translation>
    </message>
    <message>
        <source>Your log</source>
        <translation>你的日志</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>follows from it</source>
        <translation>由此引起</translation>
    </message>
    <message>
        <source>further finding</source>
        <translation>其他发现</translation>
    </message>
    <message>
        <source>main cause</source>
        <translation>主要原因</translation>
    </message>
    <message>
        <source>not recognised</source>
        <translation>未识别</translation>
    </message>
    <message>
        <source>pasted {time}</source>
        <translation>粘贴于 {time}</translation>
    </message>
    <message>
        <source>stays on this machine</source>
        <translation>只留在本机</translation>
    </message>
    <message>
        <source>{count} lines</source>
        <translation>{count} 行</translation>
    </message>
</context>
<context>
    <name>LogModel</name>
    <message numerus="yes">
        <source>%n further line(s)</source>
        <translation>
            <numerusform>其余 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n harmless line(s)</source>
        <translation>
            <numerusform>%n 行无害内容</numerusform>
        </translation>
    </message>
    <message>
        <source>Line {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>follows from it</source>
        <translation>由此引起</translation>
    </message>
    <message>
        <source>further finding</source>
        <translation>其他发现</translation>
    </message>
    <message>
        <source>harmless</source>
        <translation>无害</translation>
    </message>
    <message>
        <source>main cause</source>
        <translation>主要原因</translation>
    </message>
    <message>
        <source>not recognised</source>
        <translation>未识别</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>{count} further lines</source>
        <translation>其余 {count} 行</translation>
    </message>
    <message>
        <source>{count} further lines; to see them, open the log in an editor</source>
        <translation>其余 {count} 行；请用编辑器打开日志查看</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>日志内容</translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message numerus="yes">
        <source>Ruled out by this machine: %n other cause(s) with the same words</source>
        <translation>
            <numerusform>本机情况排除了另外 %n 种会输出相同文字的原因</numerusform>
        </translation>
    </message>
    <message>
        <source>What this machine adds</source>
        <translation>本机提供的线索</translation>
    </message>
    <message>
        <source>{told} ({causes})</source>
        <translation>{told}（{causes}）</translation>
    </message>
</context>
<context>
    <name>ReadingBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Explaining the log…</source>
        <translation>正在解释日志…</translation>
    </message>
</context>
</TS>
